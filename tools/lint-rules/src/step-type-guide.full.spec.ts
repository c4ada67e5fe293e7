import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Edit, filesWithStepTypes, ScratchCopy, WORKSPACE } from './scratch-copy';

/** Where step types are decided about; the other projects run what these decide. */
const PROJECTS = ['libs/contracts', 'libs/rules', 'libs/queue', 'apps/gateway'];
const STEP_TYPES = 'libs/contracts/src/step-types.ts';

describe('the guide "Add a step type" in CONTRIBUTING.md', () => {
  const edits = readGuide();
  const copy = new ScratchCopy();

  it('names the tables that a new step type needs', () => {
    expect(edits.map(({ table }) => table)).toEqual(['STEP_TYPE_FACTS', 'STEP_CONTROLS', 'DECIDE']);
  });

  it('gives a step type that compiles wherever step types are used', () => {
    copy.apply(edits);
    expect(copy.faults(filesWithStepTypes(PROJECTS))).toEqual([]);
  });

  it.each(edits.map((edit) => [edit.table, edit] as const))('does not compile without the entry of %s', (_, left) => {
    copy.apply(edits.filter((edit) => edit !== left));
    expect(copy.faults(edits.map(({ file }) => file))).not.toEqual([]);
  });

  it('gives a step type that authors may use and that the engine runs', () => {
    copy.apply(edits);
    const { AUTHORED_STEP_TYPES, ENGINE_STEP_TYPES } = copy.run(STEP_TYPES);
    expect(AUTHORED_STEP_TYPES).toContain('stamp');
    expect(ENGINE_STEP_TYPES).toContain('stamp');
  });
});

/** Each numbered step of the guide that has a code block names the table and the file that get this code. */
function readGuide(): Edit[] {
  const guide = readFileSync(join(WORKSPACE, 'CONTRIBUTING.md'), 'utf8');
  const section = /^## Add a step type\n(.*?)^## /ms.exec(guide)![1]!;
  return section.split(/^\d\. /m).flatMap((step): Edit[] => {
    const [, table, file] = /`(\w+)` of\s+`([\w/.-]+)`/.exec(step) ?? [];
    const [, entry] = /```ts\n(.*?)```/s.exec(step) ?? [];
    return table && file && entry ? [{ table, file, entry }] : [];
  });
}
