//! Backend and operation traits, errors, file formats and window recombination.
