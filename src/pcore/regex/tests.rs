//! What Ruby 3.1 matches, as it matched it.
