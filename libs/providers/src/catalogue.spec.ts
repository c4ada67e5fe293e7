import { CHANNELS, PROVIDER_IDS, PROVIDERS_BY_CHANNEL } from '@clarion/contracts/core';
import { describeProvider, isProviderOf } from './catalogue';
import { CREDENTIAL_BOOLEAN_FIELDS, CREDENTIAL_OBJECT_FIELDS, CREDENTIAL_STRING_FIELDS } from './credential-fields';

const FIELDS: readonly string[] = [
  ...CREDENTIAL_STRING_FIELDS,
  ...CREDENTIAL_BOOLEAN_FIELDS,
  ...CREDENTIAL_OBJECT_FIELDS,
];

describe('describeProvider', () => {
  it.each(PROVIDER_IDS)('describes the name, channel and credential fields of %s', (id) => {
    const { displayName, channel, required, optional } = describeProvider(id);
    const fields = [...required.flat(), ...optional];

    expect(displayName.trim()).not.toBe('');
    expect(PROVIDERS_BY_CHANNEL[channel]).toContain(id);
    // No field twice: neither in one list nor in both.
    expect(new Set(fields).size).toBe(fields.length);
    expect(FIELDS).toEqual(expect.arrayContaining(fields));
  });

  it('returns a unique display name for each provider', () => {
    const names = PROVIDER_IDS.map((id) => describeProvider(id).displayName);
    expect(new Set(names).size).toBe(names.length);
  });

  it('requires a sender for every email provider except the built-in one', () => {
    for (const id of PROVIDERS_BY_CHANNEL.email.filter((email) => email !== 'platform-email')) {
      expect(describeProvider(id).required).toContain('from');
    }
  });

  it('requires no credentials for the built-in providers', () => {
    for (const id of ['platform', 'platform-email', 'platform-sms', 'platform-slack'] as const) {
      expect(describeProvider(id).required).toEqual([]);
    }
  });

  it.each(['isendpro-sms', 'novu-email', '', 'constructor', '__proto__'])('returns undefined for the id %p', (id) => {
    expect(describeProvider(id)).toBeUndefined();
  });
});

describe('isProviderOf', () => {
  it('returns true for exactly one channel of each provider', () => {
    for (const id of PROVIDER_IDS) {
      expect(CHANNELS.filter((channel) => isProviderOf(channel, id))).toEqual([describeProvider(id).channel]);
    }
  });

  it('returns false for a provider of another channel and for an unknown id', () => {
    expect(isProviderOf('email', 'twilio')).toBe(false);
    expect(isProviderOf('email', 'constructor')).toBe(false);
  });
});
