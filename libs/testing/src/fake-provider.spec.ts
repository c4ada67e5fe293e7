import { type FakeProvider, startFakeProvider } from './fake-provider';

describe('startFakeProvider', () => {
  let fake: FakeProvider;
  afterEach(() => fake.close());

  const post = async (path: string, headers: Record<string, string> = {}, body = '{}') => {
    const response = await fetch(fake.url + path, { method: 'POST', headers, body });
    return { status: response.status, text: await response.text() };
  };

  it('records calls unless recording is off', async () => {
    fake = await startFakeProvider();
    await post('/emails?a=b', { 'x-one': '1' }, 'content');
    expect(fake.calls).toMatchObject([{ method: 'POST', path: '/emails?a=b', body: 'content' }]);
    expect(fake.calls[0]!.headers['x-one']).toBe('1');
    fake.recording(false);
    await post('/emails');
    expect([fake.calls.length, fake.count]).toEqual([1, 2]);
  });

  it('gives scripted answers, newest script first, each answer once, then the usual answer', async () => {
    fake = await startFakeProvider();
    fake.always('/emails', { status: 500 });
    fake.next(/mails$/, { status: 429 }, { status: 418, text: 'tea' });
    fake.next(({ body }) => body === 'special', { status: 201 });
    const statuses = [];
    for (const body of ['a', 'special', 'b', 'c']) statuses.push((await post('/emails', {}, body)).status);
    expect(statuses).toEqual([429, 201, 418, 500]);
    fake.reset();
    expect(await post('/emails')).toEqual({ status: 200, text: '{"id":"fake-1"}' });
  });

  it('repeats the answer of an idempotency key and has one effect when it is key-aware', async () => {
    fake = await startFakeProvider({ keyAware: true });
    fake.next('/', { status: 500 });
    const key = { 'idempotency-key': 'one' };
    const answers = [];
    for (let turn = 0; turn < 3; turn += 1) answers.push(await post('/emails', key));
    answers.push(await post('/notifications', {}, '{"idempotency_key":"two"}'));
    expect(answers.map(({ status }) => status)).toEqual([500, 200, 200, 200]);
    expect(answers[2]).toEqual(answers[1]);
    expect([fake.count, fake.effects]).toEqual([4, 2]);
  });

  it('has an effect for each call when it is not key-aware', async () => {
    fake = await startFakeProvider();
    for (let turn = 0; turn < 3; turn += 1) await post('/emails', { 'idempotency-key': 'one' });
    expect(fake.effects).toBe(3);
  });
});
