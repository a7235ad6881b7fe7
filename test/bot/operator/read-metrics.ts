interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  /** Those of a histogram are its buckets, sum and count. */
  readonly series: readonly Series[];
}

/** The text format of Prometheus; throws for a line that is none of it. */
export function readMetrics(text: string): readonly Family[] {
  const families: { name: string; type: string; help: string; series: Series[] }[] = [];
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const help = /^# HELP (\w+) (.+)$/.exec(line);
    const type = /^# TYPE (\w+) (\w+)$/.exec(line);
    const one = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line);
    const last = families.at(-1);
    if (help !== null) families.push({ name: help[1] ?? '', type: '', help: help[2] ?? '', series: [] });
    else if (type !== null && last !== undefined && last.name === type[1]) last.type = type[2] ?? '';
    else if (one !== null && last !== undefined && one[1]?.startsWith(last.name) === true)
      last.series.push({ labels: labelsIn(one[2] ?? ''), value: Number(one[3]) });
    else throw new Error(`not a line of metrics: ${line}`);
  }
  return families;
}

function labelsIn(text: string): Series['labels'] {
  return Object.fromEntries(
    [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
}
