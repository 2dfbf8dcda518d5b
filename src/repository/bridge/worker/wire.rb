# The pipe to Pantin, and values on it: `wire.rs` says in which form.
#
# No library is needed for it, so that no library can get into its way.

module PantinWire
  MARK = "\x01pb\n".b.freeze
  PARENT = Process.ppid
  SELF = Process.pid

  # Whatever code prints goes to the standard error: the standard output is the pipe, and nobody else gets hold of it.
  FROM = $stdin.dup.binmode
  TO = $stdout.dup.binmode
  TO.sync = true
  $stdin.reopen(File::NULL)
  $stdout.reopen($stderr)

  class Damaged < Exception; end

  class << self
    # The next message, as a value; whoever is gone at the other end needs nobody here.
    def receive
      head = FROM.read(8)
      Process.exit!(0) if head.nil? || head.bytesize < 8
      raise Damaged, 'no message' unless head.start_with?(MARK)

      bytes = FROM.read(head.byteslice(4, 4).unpack1('N'))
      Reader.new(bytes).value
    end

    def tell(value)
      # A copy of this process that some code has made has nothing to say.
      Process.exit!(0) unless Process.pid == SELF
      bytes = String.new(capacity: 256, encoding: Encoding::BINARY)
      write(value, bytes)
      TO.write(MARK, [bytes.bytesize].pack('N'), bytes)
    end

    # What a value is on the wire; it tells as well whether something was changed.
    def bytes_of(value)
      bytes = String.new(encoding: Encoding::BINARY)
      write(value, bytes)
      bytes
    end

    def write(value, out)
      case value
      when nil then out << 'n'
      when true then out << 't'
      when false then out << 'f'
      when Integer then out << "i#{value};"
      when Float then out << 'd' << [value].pack('G')
      when String
        if value.encoding == Encoding::BINARY
          out << "o#{value.bytesize}:" << value
        else
          write_text('s', value, out)
        end
      when Symbol then write_text('y', value.name, out)
      when Regexp
        out << "r#{value.options & 7};"
        write_text('s', value.source, out)
      when Array
        out << "a#{value.length}:"
        value.each { |item| write(item, out) }
      when Hash
        out << "h#{value.size}:"
        value.each_pair do |key, item|
          write(key, out)
          write(item, out)
        end
      when Puppet::Pops::Types::PSensitiveType::Sensitive
        out << 'S'
        write(value.unwrap, out)
      when Puppet::Pops::Types::PBinaryType::Binary
        bytes = value.binary_buffer
        out << "b#{bytes.bytesize}:" << bytes.b
      when PantinForeign then out << "x#{value.pantin_number};"
      else
        raise PantinNoValue, "a value of class #{value.class}" unless value.class.name == 'Set'

        write(value.to_a, out)
      end
    end

    private

    def write_text(letter, text, out)
      utf8 = text.encoding == Encoding::BINARY ? text.dup.force_encoding(Encoding::UTF_8) : text.encode(Encoding::UTF_8)
      raise PantinNoValue, 'a text that is no UTF-8' unless utf8.valid_encoding?

      out << "#{letter}#{utf8.bytesize}:" << utf8.b
    rescue EncodingError
      raise PantinNoValue, 'a text that is no UTF-8'
    end
  end

  # Takes a message apart.
  class Reader
    def initialize(bytes)
      @bytes = bytes
      @at = 0
    end

    def value
      letter = @bytes.getbyte(@at)
      @at += 1
      case letter
      when 110 then nil
      when 116 then true
      when 102 then false
      when 105 then upto(';').to_i
      when 100 then take(8).unpack1('G')
      when 115 then text
      when 111 then take(upto(':').to_i)
      when 121 then text.to_sym
      when 98 then Puppet::Pops::Types::PBinaryType::Binary.new(take(upto(':').to_i))
      when 114
        options = upto(';').to_i
        Regexp.new(value, options)
      when 97 then Array.new(upto(':').to_i) { value }
      when 104
        made = {}
        upto(':').to_i.times do
          key = value
          made[key] = value
        end
        made
      when 83 then Puppet::Pops::Types::PSensitiveType::Sensitive.new(value)
      when 120
        number = upto(';').to_i
        PantinForeign.of(number, value, value, value)
      else raise Damaged, "the letter #{letter.inspect}"
      end
    end

    private

    def upto(mark)
      ending = @bytes.index(mark, @at) or raise Damaged, 'a count without an end'
      taken = @bytes.byteslice(@at, ending - @at)
      @at = ending + 1
      taken
    end

    def take(count)
      taken = @bytes.byteslice(@at, count)
      raise Damaged, 'it is too short' if taken.nil? || taken.bytesize < count

      @at += count
      taken
    end

    def text
      take(upto(':').to_i).force_encoding(Encoding::UTF_8)
    end
  end
end

# Something that Puppet has no value for.
class PantinNoValue < Exception; end
