//! The store. (First commit: the shape of the workspace.)
