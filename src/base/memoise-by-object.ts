/** The last that was made of an object, for as long as there is the object and it is to be made `of` the same. */
export function createLastResult<Key extends object, Value>() {
  const made = new WeakMap<Key, { readonly of: readonly unknown[]; readonly value: Value }>();
  return (key: Key, of: readonly unknown[], make: () => Value): Value => {
    const known = made.get(key);
    if (known?.of.every((one, at) => one === of[at])) return known.value;
    const value = make();
    made.set(key, { of, value });
    return value;
  };
}

/** Caches one result per object, for as long as the object lives: a list of a thousand drivers is drawn by many. */
export function memoiseByObject<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const last = createLastResult<Key, Value>();
  return (key) => last(key, [], () => make(key));
}
