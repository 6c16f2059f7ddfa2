/** Returns a function that makes a value at its first call and returns the same one ever after. */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
