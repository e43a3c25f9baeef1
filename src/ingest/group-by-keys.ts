/** @package Groups items by their keys. An item with several keys is in several groups. */
export function groupByKeys<Item, Key extends string | number>(
  items: Iterable<Item>,
  keysOf: (item: Item) => Key | readonly Key[] | undefined,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    for (const key of [keysOf(item) ?? []].flat() as Key[]) {
      groups.getOrInsertComputed(key, () => []).push(item);
    }
  }
  return groups;
}
