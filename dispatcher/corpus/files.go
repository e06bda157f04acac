package corpus

// Files returns the files that Read reads, in its order.
func Files(paths ...string) ([]string, error) {
	var all []string
	for _, path := range paths {
		files, err := filesOf(path)
		if err != nil {
			return nil, err
		}
		all = append(all, files...)
	}
	return all, nil
}
