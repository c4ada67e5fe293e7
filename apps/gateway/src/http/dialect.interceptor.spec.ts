import { dialectOf, toNovu } from './dialect.interceptor';

describe('the novu dialect', () => {
  it('is chosen by the client or by the operator', () => {
    expect(dialectOf('speakeasy-sdk/typescript @novu/api', 'spec')).toBe('novu');
    expect(dialectOf('curl/8', 'spec')).toBe('spec');
    expect(dialectOf(undefined, 'novu')).toBe('novu');
  });

  it('wraps objects, arrays and plain values, and leaves envelopes', () => {
    expect(toNovu({ _id: '1' })).toEqual({ data: { _id: '1' } });
    expect(toNovu([{ _id: '1' }])).toEqual({ data: [{ _id: '1' }] });
    expect(toNovu(false)).toEqual({ data: false });
    expect(toNovu({ data: [], next: null })).toEqual({ data: [], next: null });
    expect(toNovu({ _id: '1', data: { own: true } })).toEqual({ data: { _id: '1', data: { own: true } } });
    expect(toNovu(undefined)).toBeUndefined();
    expect(toNovu(Buffer.from('challenge'))).toEqual(Buffer.from('challenge'));
  });

  it('renames built-in names and never what callers own', () => {
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
});
