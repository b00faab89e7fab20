//! MJCF in, Model out: the XML front end and the model compiler.
