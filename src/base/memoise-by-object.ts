/** Caches the last result per object, for as long as the object lives and the dependencies are the same. */
export function createLastResult<Key extends object, Value>() {
  const results = new WeakMap<Key, { readonly dependencies: readonly unknown[]; readonly value: Value }>();
  return (key: Key, of: readonly unknown[], make: () => Value): Value => {
    const lastResult = results.get(key);
    if (lastResult?.dependencies.every((dependency, at) => dependency === of[at])) return lastResult.value;
    const value = make();
    results.set(key, { dependencies: of, value });
    return value;
  };
}

/** Caches one result per object, for as long as the object lives: a list of a thousand drivers is drawn by many. */
export function memoiseByObject<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const last = createLastResult<Key, Value>();
  return (key) => last(key, [], () => make(key));
}
