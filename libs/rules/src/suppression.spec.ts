import { suppressionAddress } from './suppression';

describe('suppressionAddress', () => {
  it.each([
    ['email', 'ann@x.test', 'ann@x.test'],
    ['email', ' Ann@X.Test\n', 'ann@x.test'],
    ['email', '"Ann, A." <Ann@x.test>', 'ann@x.test'],
    ['email', 'ann', undefined],
    ['email', 'ann@', undefined],
    ['email', 'ann@x@test', undefined],
    ['email', 'a b@x.test', undefined],
    ['email', '', undefined],
    ['sms', '+1 (555) 123-4567', '+15551234567'],
    ['sms', '0015551234567', '+15551234567'],
    ['sms', '15551234567', '+15551234567'],
    ['chat', '+49 171 1', '+491711'],
    ['sms', 'unknown', undefined],
  ] as const)('writes the %s address %j as %j', (channel, text, spelled) => {
    expect(suppressionAddress(channel, text)).toBe(spelled);
  });
});
