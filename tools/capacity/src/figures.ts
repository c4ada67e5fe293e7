import { readFileSync } from 'node:fs';
import type { Cost, Costs } from './plan';

export type Figures = { costs: Costs; at: string; machine: { processors: number; model: string; node: string } };

type Kept = { costs?: Omit<Figures, 'costs'> & { figures: { values: Record<string, number> }[] } };

/** The figures that `npm run bench -- costs` stored in a file; undefined when there are none. */
export function readFigures(file: string): Figures | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  const { costs } = JSON.parse(text) as Kept;
  if (!costs) return undefined;
  const [inApp, email, lone, slow] = costs.figures.map(({ values }) => values);
  return {
    at: costs.at,
    machine: costs.machine,
    costs: { in_app: inApp as Cost, email: email as Cost, lone: lone as Cost, callsAtOnce: slow!['callsAtOnce']! },
  };
}
