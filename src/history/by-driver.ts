import { sameSpelling } from '../service/models/identifiers.ts';

/** One value for each driver, whatever the case of the name. */
export function createByDriver<Value>(begin: () => Value) {
  const drivers = new Map<string, { driver: string; value: Value }>();
  /** Comparing names takes longer than anything else that is done with them. */
  const spellings = new Map<string, { driver: string; value: Value }>();

  function spelled(driver: string): { driver: string; value: Value } {
    const key = sameSpelling(driver);
    const total = drivers.get(key) ?? { driver, value: begin() };
    drivers.set(key, total);
    spellings.set(driver, total);
    return total;
  }

  return {
    /** Returns the kept value of a driver; the newest spelling of the name counts. */
    of(driver: string): { value: Value } {
      const one = spellings.get(driver) ?? spelled(driver);
      one.driver = driver;
      return one;
    },
    /** In order of first mention. */
    all: () => [...drivers.values()],
  };
}
