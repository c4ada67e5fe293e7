import { newId } from '@clarion/contracts';
import { fromBase62, idOfSlug, kebabCase, stepSlug, toBase62, workflowSlug } from './slugs';

describe('slugs', () => {
  it.each([
    ['Welcome Email', 'welcome-email'],
    ['  Déjà vu!  (2)', 'deja-vu-2'],
    ['snake_case.And-more', 'snake-case-and-more'],
    ['通知', ''],
  ])('writes %j as %j', (name, expected) => {
    expect(kebabCase(name)).toBe(expected);
  });

  it.each(['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', newId()])(
    'encodes %s in base 62 and decodes it again',
    (id) => {
      expect(toBase62(id)).toMatch(/^[0-9A-Za-z]{1,22}$/);
      expect(fromBase62(toBase62(id))).toBe(id);
    },
  );

  it('finds the id in a slug of the right kind for any name', () => {
    const id = newId();
    expect(idOfSlug(workflowSlug('Order _wf_ shipped', id), 'wf')).toBe(id);
    expect(idOfSlug(stepSlug('通知', id), 'st')).toBe(id);
    expect(idOfSlug(workflowSlug('A', id), 'st')).toBeUndefined();
    expect(idOfSlug('just-a-name', 'wf')).toBeUndefined();
  });

  it('does not read a number of more than 128 bits as an id', () => {
    expect(idOfSlug(`a_wf_${'z'.repeat(22)}`, 'wf')).toBeUndefined();
  });
});
