# Makes packages, and an apt repository of them, in a machine: `. /case/debs.sh`.

# deb NAME VERSION [FIELD...]: builds /srv/debs/NAME_VERSION_all.deb. CONF is the text of /etc/NAME.conf, SCRIPTS a folder
# of maintainer scripts, TREE one of further files.
deb() {
  name=$1 version=$2
  shift 2
  folder=$(mktemp -d)
  chmod 755 "$folder"
  mkdir -p "$folder/DEBIAN" "$folder/usr/share/$name" /srv/debs
  echo "$version" > "$folder/usr/share/$name/version"
  if [ -n "${CONF:-}" ]; then
    mkdir -p "$folder/etc"
    printf '%s\n' "$CONF" > "$folder/etc/$name.conf"
    echo "/etc/$name.conf" > "$folder/DEBIAN/conffiles"
  fi
  [ -z "${SCRIPTS:-}" ] || cp "$SCRIPTS"/* "$folder/DEBIAN/"
  [ -z "${TREE:-}" ] || cp -R "$TREE"/. "$folder/"
  {
    printf 'Package: %s\nVersion: %s\nArchitecture: all\nMaintainer: nobody <nobody@example.org>\n' "$name" "$version"
    for field; do echo "$field"; done
    echo 'Description: a package for tests'
  } > "$folder/DEBIAN/control"
  dpkg-deb --root-owner-group -Znone --build "$folder" "/srv/debs/${name}_${version#*:}_all.deb"
  rm -rf "$folder"
  CONF='' SCRIPTS='' TREE=''
}

# repository: lets apt find what was built, and nothing else.
repository() {
  (
    cd /srv/debs
    for file in *.deb; do
      dpkg-deb --field "$file"
      echo "Filename: ./$file"
      echo "Size: $(stat -c %s "$file")"
      echo "SHA256: $(sha256sum "$file" | cut -d' ' -f1)"
      echo
    done > Packages
  )
  echo 'deb [trusted=yes] file:/srv/debs ./' > /etc/apt/sources.list
  apt-get -q update
}
