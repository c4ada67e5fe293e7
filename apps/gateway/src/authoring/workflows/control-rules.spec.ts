import type { AuthoredStepType, ContentIssueType, JsonObject } from '@clarion/contracts';
import { stepIssues } from './control-rules';

/** By field, the types of its issues. */
function issuesOf(type: AuthoredStepType, values: JsonObject): Record<string, ContentIssueType[]> {
  const controls = stepIssues(type, values)?.controls ?? {};
  return Object.fromEntries(Object.entries(controls).map(([field, issues]) => [field, issues.map((i) => i.issueType)]));
}

const window = { amount: 5, unit: 'minutes' };

describe('stepIssues', () => {
  it.each<[AuthoredStepType, JsonObject]>([
    ['email', { subject: 'Hi' }],
    [
      'email',
      {
        subject: 'Hi {{payload.name}}',
        body: '<p>x</p>',
        editorType: 'html',
        layoutId: null,
        disableOutputSanitization: true,
        from: { email: 'a@example.com', name: 'A' },
        replyTo: 'b@example.com',
        preheader: 'x',
        useProviderDefaults: false,
        skip: { '==': [1, 1] },
      },
    ],
    ['email', { subject: 'Hi', body: [{ type: 'text', content: 'x' }] }],
    ['in_app', { body: 'x' }],
    ['in_app', { subject: 'x', body: '' }],
    [
      'in_app',
      {
        body: 'x',
        avatar: 'https://example.com/a.png',
        primaryAction: { label: 'Go', redirect: { url: '/path', target: '_blank' } },
        secondaryAction: { label: 'No' },
        redirect: { url: '{{payload.url}}', target: '_unfencedTop' },
        data: { a: 1 },
      },
    ],
    ['sms', { body: 'x' }],
    ['chat', { body: 'x' }],
    ['push', { subject: 'x', body: 'y' }],
    ['delay', window],
    ['delay', { type: 'regular', ...window, extendToSchedule: true }],
    ['delay', { type: 'timed', cron: '0 9 * * 1-5' }],
    ['delay', { cron: '0 9 * * *' }],
    ['delay', { type: 'timed', timed: { atTime: '09:00' } }],
    ['delay', { type: 'scheduled', delayPath: 'sendAt' }],
    ['delay', { type: 'dynamic', dynamicKey: 'payload.at' }],
    ['digest', window],
    ['digest', { type: 'regular', ...window, digestKey: 'order', lookBackWindow: window }],
    ['digest', { type: 'backoff', ...window, lookBackWindow: window }],
    [
      'digest',
      { type: 'regular', ...window, backoff: true, backoffAmount: 1, backoffUnit: 'hours', updateMode: false },
    ],
    ['digest', { cron: '*/5 * * * *', digestKey: '{{payload.order}}' }],
    ['digest', { type: 'timed', cron: '0 0 9 1 * *' }],
    [
      'digest',
      {
        type: 'timed',
        amount: 1,
        unit: 'months',
        timed: { atTime: '23:59', monthDays: ['1', 31], monthlyType: 'on', ordinal: 'last', ordinalValue: 'weekday' },
      },
    ],
    ['digest', { type: 'timed', unit: 'weeks', amount: 1, timed: { weekDays: ['monday', 'friday'] } }],
    ['throttle', { amount: 1, unit: 'hours' }],
    ['throttle', { type: 'fixed', amount: 1, unit: 'days', threshold: 3, throttleKey: 'payload.user' }],
    ['throttle', { type: 'dynamic', dynamicKey: 'payload.window' }],
    ['custom', { anything: { goes: true } }],
    ['custom', {}],
  ])('reports no issue for %s %j', (type, values) => {
    expect(stepIssues(type, values)).toBeUndefined();
  });

  it.each<[AuthoredStepType, JsonObject, string]>([
    ['delay', { amount: 1_000_000_000, unit: 'months' }, 'amount'],
    ['delay', { amount: 181, unit: 'days' }, 'amount'],
    ['delay', { type: 'until_read', step: 'mail', amount: 7, unit: 'months' }, 'amount'],
    ['digest', { amount: 26, unit: 'weeks' }, 'amount'],
    ['digest', { ...window, lookBackWindow: { amount: 7, unit: 'months' } }, 'lookBackWindow.amount'],
    ['digest', { ...window, backoff: true, backoffAmount: 7, backoffUnit: 'months' }, 'backoffAmount'],
    ['digest', { type: 'timed', timed: { monthDays: [1] }, amount: 7, unit: 'months' }, 'amount'],
    ['throttle', { amount: 181, unit: 'days' }, 'amount'],
  ])('finds a wait that is longer than the engine allows: %s %p', (type, values, field) => {
    expect(issuesOf(type, values)).toEqual({ [field]: ['TIER_LIMIT_EXCEEDED'] });
  });

  it('finds a schedule whose next time is farther away than the engine waits', () => {
    jest.useFakeTimers({ now: new Date('2026-03-01T12:00:00Z') });
    expect(issuesOf('delay', { cron: '0 0 29 2 *' })).toEqual({ cron: ['TIER_LIMIT_EXCEEDED'] });
    expect(issuesOf('digest', { type: 'timed', cron: '0 0 1 1 *' })).toEqual({ cron: ['TIER_LIMIT_EXCEEDED'] });
    expect(issuesOf('digest', { type: 'timed', cron: '0 0 1 7 *' })).toEqual({});
    jest.useRealTimers();
  });

  it.each<[AuthoredStepType, JsonObject]>([
    ['delay', { amount: 180, unit: 'days' }],
    ['delay', { type: 'scheduled', delayPath: 'sendAt', amount: 1_000, unit: 'days' }],
    ['digest', { amount: 6, unit: 'months' }],
  ])('finds nothing wrong with the longest wait: %s %p', (type, values) => {
    expect(stepIssues(type, values)).toBeUndefined();
  });

  it.each<[AuthoredStepType, JsonObject, Record<string, ContentIssueType[]>]>([
    ['email', {}, { subject: ['MISSING_VALUE'] }],
    ['email', { subject: '  ' }, { subject: ['MISSING_VALUE'] }],
    ['email', { subject: 5, body: 7 }, { subject: ['UNSUPPORTED_PROPERTY'], body: ['UNSUPPORTED_PROPERTY'] }],
    ['email', { subject: 'x', editorType: 'word' }, { editorType: ['UNSUPPORTED_PROPERTY'] }],
    ['email', { subject: 'x', from: { email: 1 } }, { 'from.email': ['UNSUPPORTED_PROPERTY'] }],
    ['email', { subject: 'x', skip: 'yes' }, { skip: ['UNSUPPORTED_PROPERTY'] }],
    ['email', { subject: 'x', runIf: 'yes' }, { runIf: ['UNSUPPORTED_PROPERTY'] }],
    ['email', { subject: 'x', sbject: 'y' }, { sbject: ['UNSUPPORTED_PROPERTY'] }],
    ['in_app', {}, { body: ['MISSING_VALUE'] }],
    ['in_app', { subject: '', body: ' ' }, { body: ['MISSING_VALUE'] }],
    ['in_app', { body: 'x', avatar: 'ftp://example.com' }, { avatar: ['INVALID_URL'] }],
    ['in_app', { body: 'x', redirect: { url: 'javascript:alert(1)' } }, { 'redirect.url': ['INVALID_URL'] }],
    ['in_app', { body: 'x', redirect: { url: '//example.com' } }, { 'redirect.url': ['INVALID_URL'] }],
    [
      'in_app',
      { body: 'x', redirect: { target: '_new' } },
      { 'redirect.url': ['MISSING_VALUE'], 'redirect.target': ['UNSUPPORTED_PROPERTY'] },
    ],
    ['in_app', { body: 'x', primaryAction: { redirect: { url: '/' } } }, { 'primaryAction.label': ['MISSING_VALUE'] }],
    ['in_app', { body: 'x', data: [] }, { data: ['UNSUPPORTED_PROPERTY'] }],
    ['sms', {}, { body: ['MISSING_VALUE'] }],
    ['chat', { body: '' }, { body: ['MISSING_VALUE'] }],
    ['push', { subject: 'x' }, { body: ['MISSING_VALUE'] }],
    ['delay', {}, { amount: ['MISSING_VALUE'], unit: ['MISSING_VALUE'] }],
    [
      'delay',
      { type: 'regular', amount: 0, unit: 'years' },
      { amount: ['UNSUPPORTED_PROPERTY'], unit: ['UNSUPPORTED_PROPERTY'] },
    ],
    ['delay', { amount: 1.5, unit: 'days' }, { amount: ['UNSUPPORTED_PROPERTY'] }],
    ['delay', { type: 'timed' }, { cron: ['MISSING_VALUE'] }],
    ['delay', { type: 'timed', cron: 'tomorrow' }, { cron: ['UNSUPPORTED_PROPERTY'] }],
    ['delay', { type: 'timed', cron: '99 * * * *' }, { cron: ['UNSUPPORTED_PROPERTY'] }],
    ['delay', { type: 'scheduled' }, { delayPath: ['MISSING_VALUE'] }],
    ['delay', { type: 'dynamic', dynamicKey: '' }, { dynamicKey: ['MISSING_VALUE'] }],
    ['delay', { type: 'someday', ...window }, { type: ['UNSUPPORTED_PROPERTY'] }],
    ['delay', { type: 5, ...window }, { type: ['UNSUPPORTED_PROPERTY'] }],
    ['delay', { type: 'constructor' }, { type: ['UNSUPPORTED_PROPERTY'] }],
    ['digest', {}, { amount: ['MISSING_VALUE'], unit: ['MISSING_VALUE'] }],
    [
      'digest',
      { ...window, lookBackWindow: { amount: 0 } },
      { 'lookBackWindow.unit': ['MISSING_VALUE'], 'lookBackWindow.amount': ['UNSUPPORTED_PROPERTY'] },
    ],
    ['digest', { type: 'backoff', ...window }, { lookBackWindow: ['MISSING_VALUE'] }],
    ['digest', { ...window, backoff: true, backoffAmount: 3 }, { lookBackWindow: ['MISSING_VALUE'] }],
    ['digest', { type: 'timed', amount: 1, unit: 'days' }, { cron: ['MISSING_VALUE'] }],
    [
      'digest',
      {
        type: 'timed',
        timed: { atTime: '25:00', weekDays: ['funday'], monthDays: [0, '32'], ordinal: '6', monthlyType: 'off' },
      },
      {
        'timed.atTime': ['UNSUPPORTED_PROPERTY'],
        'timed.weekDays.0': ['UNSUPPORTED_PROPERTY'],
        'timed.monthDays.0': ['UNSUPPORTED_PROPERTY'],
        'timed.monthDays.1': ['UNSUPPORTED_PROPERTY'],
        'timed.ordinal': ['UNSUPPORTED_PROPERTY'],
        'timed.monthlyType': ['UNSUPPORTED_PROPERTY'],
      },
    ],
    ['throttle', {}, { amount: ['MISSING_VALUE'], unit: ['MISSING_VALUE'] }],
    [
      'throttle',
      { amount: 1, unit: 'weeks', threshold: 0 },
      { unit: ['UNSUPPORTED_PROPERTY'], threshold: ['UNSUPPORTED_PROPERTY'] },
    ],
    ['throttle', { type: 'dynamic' }, { dynamicKey: ['MISSING_VALUE'] }],
  ])('reports for %s %j: %j', (type, values, expected) => {
    expect(issuesOf(type, values)).toEqual(expected);
  });

  it('explains an issue in a message', () => {
    expect(stepIssues('delay', { type: 'x' })?.controls['type']![0]!.message).toBe(
      'type must be one of: regular, timed, scheduled, dynamic, until_read',
    );
    expect(stepIssues('sms', {})?.controls['body']![0]!.message).toBe('body is required');
  });

  it.each<[AuthoredStepType, JsonObject, string, string]>([
    ['throttle', { ...window, limit: 3 }, 'limit', 'there is no control "limit"; did you mean "threshold"?'],
    ['throttle', { ...window, treshold: 3 }, 'treshold', 'there is no control "treshold"; did you mean "threshold"?'],
    ['email', { subject: 'x', layout: 'y' }, 'layout', 'there is no control "layout"; did you mean "layoutId"?'],
    ['sms', { body: 'x', text: 'y' }, 'text', 'there is no control "text"; did you mean "body"?'],
    ['sms', { body: 'x', constructor: 'y' }, 'constructor', 'there is no control "constructor"'],
    ['delay', { ...window, when: {} }, 'when', 'there is no control "when"; did you mean "runIf"?'],
    [
      'chat',
      { body: 'x', quite_something_else: 1 },
      'quite_something_else',
      'there is no control "quite_something_else"',
    ],
  ])('reports an unknown control of %s: %j', (type, values, field, message) => {
    expect(stepIssues(type, values)?.controls).toEqual({ [field]: [{ issueType: 'UNSUPPORTED_PROPERTY', message }] });
  });

  it('limits the number of issues', () => {
    const weekDays = Array.from({ length: 10_000 }, () => 'funday');
    const issues = stepIssues('digest', { type: 'timed', timed: { weekDays } });
    expect(Object.keys(issues!.controls)).toHaveLength(100);
  });

  it('checks the variants of a step like the step itself', () => {
    const variants = [{ controlValues: { body: 'ok' } }, { controlValues: { body: '' } }];
    expect(Object.keys(stepIssues('sms', { body: 'x' }, variants)!.controls)).toEqual(['variants.1.body']);
  });
});
