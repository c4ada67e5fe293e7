import { type HttpRequest } from '@clarion/contracts/core';
import { type AwsAccess, awsCall, signatureOf } from './aws-signature';

const NOW = new Date('2015-08-30T12:36:00.123Z');
const ACCESS: AwsAccess = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
  service: 'service',
};
const HOST = 'https://example.amazonaws.com';
/** The characters that RFC 3986 never encodes. */
const UNRESERVED = '-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = 'application/x-www-form-urlencoded';

const request = (method: HttpRequest['method'], path: string, over: Partial<HttpRequest> = {}): HttpRequest => ({
  method,
  url: HOST + path,
  origin: 'provider',
  ...over,
});

/** From the test suite that Amazon publishes for Signature Version 4. */
const VECTORS: [name: string, request: HttpRequest, headers: string, signature: string][] = [
  [
    'get-vanilla',
    request('GET', '/'),
    'host;x-amz-date',
    '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  ],
  [
    'post-vanilla',
    request('POST', '/'),
    'host;x-amz-date',
    '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  ],
  [
    'get-vanilla-query-order-key-case',
    request('GET', '/?Param2=value2&Param1=value1'),
    'host;x-amz-date',
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  [
    'get-vanilla-query-unreserved',
    request('GET', `/?${UNRESERVED}=${UNRESERVED}`),
    'host;x-amz-date',
    '9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197',
  ],
  [
    'get-vanilla-utf8-query',
    request('GET', '/?ሴ=bar'),
    'host;x-amz-date',
    '2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04',
  ],
  [
    'post-x-www-form-urlencoded',
    request('POST', '/', { headers: { 'content-type': FORM }, body: 'Param1=value1' }),
    'content-type;host;x-amz-date',
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
  [
    'post-x-www-form-urlencoded-parameters',
    request('POST', '/', { headers: { 'content-type': `${FORM}; charset=utf8` }, body: 'Param1=value1' }),
    'content-type;host;x-amz-date',
    '1a72ec8f64bd914b0e42e42607c7fbce7fb2c7465f63e3092b3b0d39fa77a6fe',
  ],
];

describe('signatureOf', () => {
  it.each(VECTORS)('signs the request %s as the test suite of Amazon does', (_, given, headers, signature) => {
    expect(signatureOf(given, ACCESS, NOW)).toEqual({
      'x-amz-date': '20150830T123600Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ' +
        `SignedHeaders=${headers}, Signature=${signature}`,
    });
  });

  it('signs host, content-type and x-amz headers and ignores headers that proxies may change', () => {
    const plain = signatureOf(request('POST', '/'), ACCESS, NOW);
    const also = signatureOf(request('POST', '/', { headers: { 'user-agent': 'x', 'x-extra': 'y' } }), ACCESS, NOW);
    expect(also).toEqual(plain);
    const amazon = signatureOf(request('POST', '/', { headers: { 'x-amz-target': 'y' } }), ACCESS, NOW);
    expect(amazon['authorization']).toContain('SignedHeaders=host;x-amz-date;x-amz-target,');
  });

  it.each<[string, HttpRequest, Partial<AwsAccess>]>([
    ['body', request('POST', '/', { body: 'a' }), {}],
    ['path', request('POST', '/a'), {}],
    ['query', request('POST', '/?a=b'), {}],
    ['host', { ...request('POST', '/'), url: 'http://127.0.0.1:8080/' }, {}],
    ['secret', request('POST', '/'), { secretAccessKey: 'other' }],
    ['region', request('POST', '/'), { region: 'eu-west-1' }],
    ['service', request('POST', '/'), { service: 'ses' }],
  ])('produces another signature for another %s', (_, given, access) => {
    const signature = (one: HttpRequest, over: Partial<AwsAccess>): string =>
      signatureOf(one, { ...ACCESS, ...over }, NOW)['authorization']!.split('Signature=')[1]!;
    expect(signature(given, access)).not.toBe(signature(request('POST', '/'), {}));
  });

  it('signs a body of bytes and a body of text in the same way', () => {
    expect(signatureOf(request('POST', '/', { body: Buffer.from('ü') }), ACCESS, NOW)).toEqual(
      signatureOf(request('POST', '/', { body: 'ü' }), ACCESS, NOW),
    );
  });
});

describe('awsCall', () => {
  const context = {
    now: () => NOW,
    http: { addressOf: (url: string) => url.replace(/^https:\/\/[^/]+/, HOST), request: jest.fn() },
  };
  const callIn = (region: string) =>
    awsCall(
      { host: 'email', service: 'service', path: '/' },
      { method: 'GET' },
      { apiKey: ACCESS.accessKeyId, secretKey: ACCESS.secretAccessKey, region },
      context,
    );

  it.each([
    ['eu-west-1', 'https://email.eu-west-1.amazonaws.com/'],
    ['us-gov-west-1', 'https://email.us-gov-west-1.amazonaws.com/'],
    ['cn-north-1', 'https://email.cn-north-1.amazonaws.com.cn/'],
  ])('calls the host of the region %s', (region, url) => expect(callIn(region)).toMatchObject({ url }));

  it('signs the host that is really called', () => {
    const call = callIn('us-east-1') as { url: string; sign(request: HttpRequest): Record<string, string> };
    expect(call.sign({ method: 'GET', url: call.url, origin: 'provider' })).toEqual(
      signatureOf(request('GET', '/'), ACCESS, NOW),
    );
  });

  it.each([
    '',
    'evil.example/',
    'eu-west-1.evil.example',
    'eu-west-1#',
    'EU-WEST-1',
    'eu-west-1\n',
    '127.0.0.1',
    '@x-y-1',
  ])('rejects the region %p', (region) =>
    expect(callIn(region)).toMatchObject({
      ok: false,
      kind: 'credentials',
      message: expect.stringContaining('region') as string,
    }),
  );
});
