import type { ClaimedStep } from '@clarion/persistence';
import { outcomeOf } from './step-outcome';
import type { SentLine } from './step-result';

describe('outcomeOf', () => {
  const step = { id: 'step', fence: 3, attempt: 1, inDoubt: false, integrationId: null } as ClaimedStep;
  const detailsOf = (lines: SentLine[], more: Partial<ClaimedStep> = {}) =>
    outcomeOf({ step: { ...step, ...more } }, { state: 'completed', lines, messages: [] }).details;

  it('stores every field of a line and no field that the line does not have', () => {
    const full: SentLine = {
      status: 'Failed',
      detail: 'Unexpected provider error',
      source: 'Credentials',
      providerId: 'sendgrid',
      messageId: 'message',
      raw: { kind: 'quota' },
    };
    const [first, second] = detailsOf([full, { status: 'Pending', detail: 'Message created' }]);
    expect(first).toStrictEqual({ ...full, raw: '{"kind":"quota"}' });
    expect(second).toStrictEqual({ status: 'Pending', detail: 'Message created' });
  });

  it('stores a text as raw unchanged', () => {
    expect(detailsOf([{ status: 'Warning', detail: 'd', raw: 'no cc' }])).toMatchObject([{ raw: 'no cc' }]);
  });

  it('marks the lines of a later attempt as a retry, unless the line says otherwise', () => {
    const lines: SentLine[] = [
      { status: 'Pending', detail: 'a' },
      { status: 'Pending', detail: 'b', isRetry: false },
    ];
    expect(detailsOf(lines, { attempt: 2 }).map(({ isRetry }) => isRetry)).toEqual([true, undefined]);
    expect(detailsOf([{ status: 'Pending', detail: 'c', isRetry: true }])).toMatchObject([{ isRetry: true }]);
  });
});
