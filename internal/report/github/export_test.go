package github

// RepositoryPath is tested by itself.
var RepositoryPath = repositoryPath
