export type Sample = { labels?: Record<string, string>; value: number };
export type Gauge = { name: string; help: string; samples: Sample[] };

/** Gauges in the text format of Prometheus. */
export function exposition(gauges: Gauge[]): string {
  return gauges
    .map(({ name, help, samples }) =>
      [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...samples.map((sample) => line(name, sample)), ''].join('\n'),
    )
    .join('');
}

function line(name: string, { labels = {}, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escape(text)}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`;
}

const escape = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
