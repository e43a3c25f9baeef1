/** Splits items into batches of at most `size` items. An item is read only when its batch is needed. */
export function* splitBatches<Item>(items: Iterable<Item>, size: number) {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
