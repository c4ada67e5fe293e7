import { changedFields } from './changed-fields';

describe('changedFields', () => {
  it('keeps the fields that differ and leaves out ids and times', () => {
    const before = { id: '1', name: 'a', active: true, updatedAt: new Date(0), tags: ['x'] };
    const after = { id: '1', name: 'b', active: true, updatedAt: new Date(1), tags: ['x'] };
    expect(changedFields(before, after)).toEqual({ before: { name: 'a' }, after: { name: 'b' } });
  });

  it('returns undefined when no recorded field differs', () => {
    expect(changedFields({ a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 }, updatedAt: 5 })).toBeUndefined();
  });

  it('returns only one side when the resource was created or deleted', () => {
    expect(changedFields(undefined, { name: 'a', color: null })).toEqual({ before: null, after: { name: 'a' } });
    expect(changedFields({ name: 'a' }, undefined)).toEqual({ before: { name: 'a' }, after: null });
  });

  it('records which secret fields changed but never their values', () => {
    const before = { credentials: { apiKey: 'secret-1', from: 'a', host: 'h' } };
    const after = { credentials: { apiKey: 'secret-2', from: 'a', user: 'u' } };
    const change = changedFields(before, after);
    expect(change).toEqual({
      before: { credentials: { apiKey: 'set', host: 'set' } },
      after: { credentials: { apiKey: 'changed', user: 'set' } },
    });
    expect(JSON.stringify(change)).not.toContain('secret');
    expect(JSON.stringify(changedFields(undefined, before))).not.toContain('secret');
    expect(JSON.stringify(changedFields(before, undefined))).not.toContain('secret');
  });

  it('replaces a large field by its size and hash', () => {
    const change = changedFields(undefined, { steps: ['x'.repeat(20_000)] });
    expect(change!.after).toEqual({ steps: { bytes: 20_004, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } });
  });
});
