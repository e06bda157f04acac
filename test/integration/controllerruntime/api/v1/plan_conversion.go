package v1

// Hub says that other versions are converted to and from this one.
func (*Plan) Hub() {}
