import type { CodeProblem } from '../../ui/code-mirror';
import type { Step } from './draft';

type Issues = {
  controls?: Record<string, CodeProblem[]>;
  integration?: Record<string, { message: string }[]>;
};

/** The issues of a saved step: by the path of the control, and those of the step as a whole. */
export function issuesOf(
  saved: Step | undefined,
  isCurrent: (control: string) => boolean,
): { controls: Record<string, CodeProblem[]>; general: string[] } {
  const { controls = {}, integration = {} } = (saved?.issues ?? {}) as Issues;
  const entries = Object.entries(controls).filter(([path]) => isCurrent(path.split('.')[0]!));
  const variants = entries.filter(([path]) => path.startsWith('variants.'));
  return {
    controls: Object.fromEntries(entries),
    general: [
      ...Object.values(integration)
        .flat()
        .map(({ message }) => `${message}.`),
      ...variants.flatMap(([path, problems]) => problems.map(({ message }) => `${path}: ${message}`)),
    ],
  };
}

export const messagesOf = (problems: readonly CodeProblem[] | undefined): string | undefined =>
  problems && problems.length > 0 ? problems.map(({ message }) => message).join('; ') : undefined;
