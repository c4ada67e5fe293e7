import { metricsAccess } from './metrics-access';

const TOKEN = 'a-token-of-some-length';

describe('metricsAccess', () => {
  it.each([
    ['open', { HOST: '127.0.0.1' }],
    ['open', { HOST: 'localhost' }],
    ['open', { HOST: '::1' }],
    ['closed', { HOST: '0.0.0.0' }],
    ['closed', { HOST: '127.0.0.1', CLARION_TRUST_PROXY: ['127.0.0.1'] }],
    ['closed', { HOST: '127.0.0.1', CLARION_PUBLIC_URL: 'https://clarion.example' }],
    ['token', { HOST: '127.0.0.1', CLARION_TRUST_PROXY: ['127.0.0.1'], CLARION_METRICS_TOKEN: TOKEN }],
    ['token', { HOST: '0.0.0.0', CLARION_METRICS_TOKEN: TOKEN }],
  ])('is %s with %j', (access, settings) => {
    expect(metricsAccess({ CLARION_TRUST_PROXY: [], ...settings })).toBe(access);
  });
});
