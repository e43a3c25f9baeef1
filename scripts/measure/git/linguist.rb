# Prints the language that the installed Linguist finds for each regular file at a repository's HEAD: its version, then pairs of
# path TAB language (or "-"), each followed by a zero byte.
require "linguist"
require "rugged"

repository = Rugged::Repository.new(ARGV.fetch(0))
tree = repository.head.target.tree
# Attributes are looked up in an index, which a bare repository lacks.
index = Rugged::Index.new
index.read_tree(tree)
repository.index = index
$stdout.binmode
$stdout.write("#{Linguist::VERSION}\0")
tree.walk_blobs(:preorder) do |folder, entry|
  next unless (entry[:filemode] & 0o170000) == 0o100000
  path = folder + entry[:name]
  blob = Linguist::LazyBlob.new(repository, entry[:oid], path, entry[:filemode].to_s(8))
  $stdout.write("#{path}\t#{blob.language&.name || "-"}\0")
  blob.cleanup!
end
