import { dialectOf, toInterface, toNovu } from './dialect.interceptor';

describe('DialectInterceptor', () => {
  it.each([
    ['speakeasy-sdk/typescript 3.19.1 2.933.0 3.19.0 @novu/api'],
    ['speakeasy-sdk/python 0.1.1 2.495.1 1.0 novu-py'],
    ['speakeasy-sdk/go 1.2.0 2.730.5 1.0 github.com/novuhq/novu-go'],
    ['speakeasy-sdk/php 1.2.0 2.730.5 1.0 novuhq/novu'],
    ['speakeasy-sdk/java 1.2.0 2.730.5 1.0 co.novu.novu-java'],
    ['speakeasy-sdk/csharp 1.2.0 2.730.5 1.0 Novu'],
    ['@novu/js@3.13.0'],
  ])('uses the novu dialect under every setting for the SDK with the user agent %s', (name) => {
    for (const header of ['user-agent', 'x-speakeasy-user-agent', 'novu-client-version']) {
      expect(dialectOf({ [header]: name }, 'spec', 'spec')).toBe('novu');
    }
  });

  it.each([['curl/8'], ['axios/1.7.2'], ['my-novu-migration/1.0'], ['renovu/2'], [undefined]])(
    'uses the dialect of the environment, else of the installation, for the user agent %s',
    (name) => {
      const headers = { 'user-agent': name };
      expect(dialectOf(headers, null, 'spec')).toBe('spec');
      expect(dialectOf(headers, null, 'novu')).toBe('novu');
      expect(dialectOf(headers, 'novu', 'spec')).toBe('novu');
      expect(dialectOf(headers, 'spec', 'novu')).toBe('spec');
    },
  );

  it('wraps objects, arrays and plain values in `data` and leaves envelopes unchanged in the novu dialect', () => {
    expect(toNovu({ _id: '1' })).toEqual({ data: { _id: '1' } });
    expect(toNovu([{ _id: '1' }])).toEqual({ data: [{ _id: '1' }] });
    expect(toNovu(false)).toEqual({ data: false });
    expect(toNovu({ data: [], next: null })).toEqual({ data: [], next: null });
    expect(toNovu({ _id: '1', data: { own: true } })).toEqual({ data: { _id: '1', data: { own: true } } });
    expect(toNovu(undefined)).toBeUndefined();
    expect(toNovu(Buffer.from('challenge'))).toEqual(Buffer.from('challenge'));
  });

  it('renames built-in names in the novu dialect but never the data of callers', () => {
    const answer = {
      data: [
        {
          _id: '1',
          providerId: 'platform',
          template: { origin: 'platform-cloud' },
          payload: { providerId: 'platform' },
          jobs: [{ providerId: 'platform-email', step: { name: 'platform' } }],
        },
      ],
      page: 0,
    };
    expect(toNovu(answer)).toEqual({
      data: [
        {
          _id: '1',
          providerId: 'novu',
          template: { origin: 'novu-cloud' },
          payload: { providerId: 'platform' },
          jobs: [{ providerId: 'novu-email', step: { name: 'platform' } }],
        },
      ],
      page: 0,
    });
  });

  it('shows values outside the closed lists of the interface as values that it names', () => {
    const part = { field: 'mail.read', value: 'true', operator: 'EQUAL', on: 'steps' };
    const step = { filters: [{ children: [part, { ...part, on: 'payload' }] }] };
    const detail = { detail: 'Message sent', providerId: 'telegram' };
    const payload = { jobs: [{ providerId: 'telegram' }], children: [part] };
    const page = {
      data: [
        { payload, jobs: [{ providerId: 'telegram', step, executionDetails: [detail, { providerId: 'slack' }] }] },
      ],
      hasMore: false,
    };
    expect(toInterface(page)).toEqual({
      data: [
        {
          payload,
          jobs: [
            {
              providerId: 'chat-webhook',
              step: {
                filters: [
                  {
                    children: [
                      { ...part, field: 'steps.mail.read', on: 'payload' },
                      { ...part, on: 'payload' },
                    ],
                  },
                ],
              },
              executionDetails: [{ ...detail, providerId: 'chat-webhook' }, { providerId: 'slack' }],
            },
          ],
        },
      ],
      hasMore: false,
    });
    const subscriber = { channels: [{ providerId: 'telegram', credentials: {} }], data: { channels: [detail] } };
    expect(toInterface({ data: [subscriber] })).toEqual({
      data: [{ ...subscriber, channels: [{ providerId: 'chat-webhook', credentials: {} }] }],
    });
    const integration = { _id: '1', providerId: 'telegram', channel: 'chat' };
    expect(toInterface([integration])).toEqual([integration]);
  });
});
