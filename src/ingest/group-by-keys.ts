/** @package Groups items by each of their keys; an item may have several, or none. A group keeps the order of the items. */
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
