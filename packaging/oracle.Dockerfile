# The real Puppet that Pantin is measured against, and the corpus of real modules, as an image to run the gate in:
#
#     docker build -f packaging/oracle.Dockerfile -t pantin-oracle .
#     docker run --rm --privileged -v "$PWD:/repository" pantin-oracle .ci/run
FROM debian:12
ENV RUSTUP_HOME=/usr/local/rustup CARGO_HOME=/usr/local/cargo PATH=/usr/local/cargo/bin:$PATH
RUN apt-get update && apt-get install -y -q ca-certificates curl debootstrap gcc git libc6-dev make procps valgrind \
    && curl --proto =https -sSf https://sh.rustup.rs | sh -s -- -y --profile minimal --default-toolchain none
COPY rust-toolchain.toml /toolchain/
RUN cd /toolchain && rustup toolchain install
# Where everything unpacked goes; PANTIN_ORACLE_DIR says so to the tests.
ENV PANTIN_ORACLE_DIR=/oracle
COPY tests/oracle /setup/tests/oracle
RUN /setup/tests/oracle/setup /oracle
WORKDIR /repository
