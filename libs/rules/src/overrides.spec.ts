import type { JsonObject } from '@clarion/contracts';
import {
  integrationOverride,
  layoutOverride,
  providerOverrides,
  severityOverride,
  unknownOverrideKeys,
} from './overrides';

const fromText = (text: string): JsonObject => JSON.parse(text) as JsonObject;

describe('providerOverrides', () => {
  const target = { stepId: 'welcome', channel: 'email', providerId: 'sendgrid' } as const;

  it('merges objects and prefers the overrides that are nearer to the step', () => {
    const overrides: JsonObject = {
      email: { a: 1, b: 1, c: 1, d: 1, headers: { a: 1, b: 1, c: 1, d: 1 }, cc: ['channel'] },
      sendgrid: { b: 2, c: 2, d: 2, headers: { b: 2, c: 2, d: 2 }, cc: ['provider'] },
      providers: { sendgrid: { c: 3, d: 3, headers: { c: 3, d: 3 } }, mailgun: { x: 1 } },
      steps: {
        welcome: { providers: { sendgrid: { d: 4, headers: { d: 4 }, from: null }, mailgun: { x: 2 } } },
        other: { providers: { sendgrid: { d: 5 } } },
      },
      sms: { x: 3 },
    };
    const copy = structuredClone(overrides);
    expect(providerOverrides(overrides, target)).toEqual({
      a: 1,
      b: 2,
      c: 3,
      d: 4,
      headers: { a: 1, b: 2, c: 3, d: 4 },
      cc: ['provider'],
      from: null,
    });
    expect(overrides).toEqual(copy);
  });

  it('does not pass the name of the integration to the provider', () => {
    const overrides = { email: { integrationIdentifier: 'backup', subject: 'x' } };
    expect(providerOverrides(overrides, target)).toEqual({ subject: 'x' });
  });

  it('accepts both spellings of a provider id', () => {
    const overrides = { 'novu-email': { a: 1 }, providers: { 'platform-email': { b: 2 } } };
    expect(providerOverrides(overrides, { ...target, providerId: 'platform-email' })).toEqual({ a: 1, b: 2 });
  });

  it.each([
    undefined,
    {},
    { email: 'x', sendgrid: [1], providers: null, steps: { welcome: 5 } },
    { steps: { welcome: { providers: { sendgrid: 'x' } } } },
  ])('ignores the overrides %j', (overrides) => {
    expect(providerOverrides(overrides as JsonObject | undefined, target)).toEqual({});
  });

  it('does not change the prototype of objects', () => {
    const overrides = fromText(
      '{"email": {"__proto__": {"polluted": 1}, "headers": {"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}}, "__proto__": {"sendgrid": {"x": 1}}}',
    );
    const result = providerOverrides(overrides, target);
    expect(Object.keys(result)).toEqual(['headers']);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(result['headers'])).toBe(Object.prototype);
    expect(({} as JsonObject)['polluted']).toBeUndefined();
    expect(providerOverrides({}, { ...target, stepId: '__proto__', providerId: 'constructor' })).toEqual({});
  });
});

describe('layoutOverride', () => {
  const all: JsonObject = {
    steps: { welcome: { layoutId: 'of-step' } },
    channels: { email: { layoutId: 'of-channel' } },
    layoutIdentifier: 'of-all',
  };

  it.each<[JsonObject | undefined, ReturnType<typeof layoutOverride>]>([
    [all, { given: true, layoutId: 'of-step' }],
    [
      { ...all, steps: { other: { layoutId: 'x' } } },
      { given: true, layoutId: 'of-channel' },
    ],
    [{ layoutIdentifier: 'of-all' }, { given: true, layoutId: 'of-all' }],
    [
      { ...all, steps: { welcome: { layoutId: null } } },
      { given: true, layoutId: null },
    ],
    [{ layoutIdentifier: null }, { given: true, layoutId: null }],
    [{ layoutIdentifier: 5 }, { given: false }],
    [{}, { given: false }],
    [undefined, { given: false }],
  ])('reads the layout of %j as %j', (overrides, expected) => {
    expect(layoutOverride(overrides, 'welcome')).toEqual(expected);
  });

  it('does not read inherited properties', () => {
    const overrides = Object.create({ layoutIdentifier: 'x', severity: 'high' }) as JsonObject;
    expect(layoutOverride(overrides, 'welcome')).toEqual({ given: false });
    expect(severityOverride(overrides)).toBeUndefined();
  });
});

describe('integrationOverride', () => {
  it('reads the integration of the channel', () => {
    const overrides = { email: { integrationIdentifier: 'backup' }, sms: { integrationIdentifier: '' }, push: 'x' };
    expect(integrationOverride(overrides, 'email')).toBe('backup');
    for (const channel of ['sms', 'push', 'chat'] as const) {
      expect(integrationOverride(overrides, channel)).toBeUndefined();
    }
    expect(integrationOverride(undefined, 'email')).toBeUndefined();
  });
});

describe('severityOverride', () => {
  it('accepts known severities only', () => {
    expect(severityOverride({ severity: 'high' })).toBe('high');
    expect(severityOverride({ severity: 'none' })).toBe('none');
    for (const overrides of [undefined, {}, { severity: 'urgent' }, { severity: ['high'] }]) {
      expect(severityOverride(overrides as JsonObject | undefined)).toBeUndefined();
    }
  });
});

describe('unknownOverrideKeys', () => {
  it('reports no override that is read', () => {
    const overrides: JsonObject = {
      email: { anything: 1 },
      in_app: {},
      sendgrid: { anything: 1 },
      'novu-email': {},
      platform: {},
      providers: { fcm: { anything: 1 } },
      steps: { welcome: { layoutId: 'x', providers: { twilio: { anything: 1 } } } },
      channels: { email: { layoutId: null } },
      layoutIdentifier: 'x',
      severity: 'high',
      delay: { amount: 1, unit: 'days' },
    };
    expect(unknownOverrideKeys(overrides)).toEqual([]);
    expect(unknownOverrideKeys(undefined)).toEqual([]);
  });

  it('reports the paths of overrides that no code reads', () => {
    const overrides = fromText(`{
      "emial": {}, "constructor": {}, "__proto__": {},
      "providers": { "sendgird": {} },
      "channels": { "fax": {}, "email": { "layout": "x" } },
      "steps": { "welcome": { "subject": "x", "providers": { "unknown": {} } } }
    }`);
    expect(unknownOverrideKeys(overrides)).toEqual([
      'emial',
      'constructor',
      '__proto__',
      'providers.sendgird',
      'channels.fax',
      'channels.email.layout',
      'steps.welcome.subject',
      'steps.welcome.providers.unknown',
    ]);
  });
});
