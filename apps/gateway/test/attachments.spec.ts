import { type EnvironmentId, LIMITS, type TriggerResultDto } from '@clarion/contracts';
import { AttachmentRepository } from '@clarion/persistence';
import { startGateway, type TestGateway } from './harness';

type Row = { id: string; payload: Record<string, unknown> };

const base64 = (content: string | Buffer): string => Buffer.from(content).toString('base64');

/** Some of the bodies are as large as bodies may be. */
jest.setTimeout(60_000);

describe('attachments of events', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
    const step = { name: 'Mail', type: 'email', controlValues: { subject: 'S', body: 'B' } };
    await gateway.call('POST', '/v2/workflows', { name: 'W', workflowId: 'mail', steps: [step] });
    await gateway.call('POST', '/v2/workflows', {
      name: 'S',
      workflowId: 'strict',
      steps: [step],
      validatePayload: true,
      payloadSchema: {
        type: 'object',
        properties: {
          attachments: { type: 'array', items: { type: 'object', required: ['file'] } },
          color: { type: 'string', default: 'red' },
        },
      },
    });
  });
  afterAll(() => gateway.close());

  const event = (attachments: unknown, rest: object = {}) => ({
    name: 'mail',
    to: 'ada',
    payload: { order: 7, attachments },
    ...rest,
  });
  const trigger = (body: unknown) =>
    gateway.call<TriggerResultDto & { message: string; errors: Record<string, unknown> }>(
      'POST',
      '/v1/events/trigger',
      body,
    );
  const bulk = (...events: unknown[]) =>
    gateway.call<TriggerResultDto[]>('POST', '/v1/events/trigger/bulk', { events });
  const rowOf = async (transactionId: string): Promise<Row | undefined> => {
    const [row] = await gateway.database.query<Row>('SELECT * FROM trigger WHERE transaction_id = $1', [transactionId]);
    return row;
  };
  const filesOf = async (...rows: (Row | undefined)[]) => {
    const repository = new AttachmentRepository(gateway.database);
    return repository.findByTrigger(
      gateway.environmentId,
      rows.map((row) => row!.id),
    );
  };

  it('go into rows of their own, and the payload keeps what there is to say about them', async () => {
    const binary = Buffer.from([0, 255, 10, 13, 128]);
    const answer = await trigger(
      event(
        [
          { name: 'a.pdf', mime: 'application/pdf', file: base64('first'), path: '/etc/passwd', href: 'http://x' },
          { name: 'b.bin', file: base64(binary) },
          { name: 'empty.txt', mime: 'text/plain', file: '' },
        ],
        { transactionId: 'files' },
      ),
    );

    expect(answer).toMatchObject({ status: 201, body: { status: 'processed', transactionId: 'files' } });
    const row = await rowOf('files');
    const files = await filesOf(row);
    expect(files.map(({ name, mime, content, position }) => [position, name, mime, content])).toEqual([
      [0, 'a.pdf', 'application/pdf', Buffer.from('first')],
      [1, 'b.bin', 'application/octet-stream', binary],
      [2, 'empty.txt', 'text/plain', Buffer.alloc(0)],
    ]);
    expect(row!.payload).toEqual({
      order: 7,
      attachments: [
        { id: files[0]!.id, name: 'a.pdf', mime: 'application/pdf', size: 5 },
        { id: files[1]!.id, name: 'b.bin', mime: 'application/octet-stream', size: 5 },
        { id: files[2]!.id, name: 'empty.txt', mime: 'text/plain', size: 0 },
      ],
    });
  });

  it('go with their own event of a bulk call, in the same statement', async () => {
    const file = (text: string) => [{ name: `${text}.txt`, file: base64(text) }];
    // A workflow is looked up once and then remembered.
    await bulk(event([]));
    const statements = gateway.watchStatements();
    const answer = await bulk(
      event(file('one'), { transactionId: 'z-bulk' }),
      event([{ name: 'bad', file: '?' }], { transactionId: 'bad-bulk' }),
      event(file('two'), { transactionId: 'a-bulk' }),
      event(undefined, { transactionId: 'plain-bulk' }),
    );
    expect(statements()).toHaveLength(2);

    expect(answer.body.map(({ status }) => status)).toEqual(['processed', 'error', 'processed', 'processed']);
    expect(answer.body[1]!.error).toEqual(['payload.attachments.0.file must be the content of the file in base64']);
    expect(await rowOf('bad-bulk')).toBeUndefined();
    const [one, two, plain] = [await rowOf('z-bulk'), await rowOf('a-bulk'), await rowOf('plain-bulk')];
    expect((await filesOf(one)).map(({ content }) => content.toString())).toEqual(['one']);
    expect((await filesOf(two)).map(({ content }) => content.toString())).toEqual(['two']);
    expect(await filesOf(plain)).toEqual([]);
    expect(await filesOf(one, two)).toHaveLength(2);
    expect(plain!.payload).toEqual({ order: 7 });
  });

  it('come with a broadcast too', async () => {
    const files = [{ name: 'all.txt', file: base64('all') }];
    const answer = await gateway.call('POST', '/v1/events/trigger/broadcast', {
      name: 'mail',
      payload: { attachments: files },
      transactionId: 'to-all',
    });
    expect(answer.body).toMatchObject({ status: 'processed' });
    expect(await filesOf(await rowOf('to-all'))).toHaveLength(1);
  });

  it('are validated with the payload, before they are taken out of it', async () => {
    const good = { name: 'a.txt', file: base64('a') };
    expect((await trigger({ ...event([good], { transactionId: 'schema' }), name: 'strict' })).status).toBe(201);
    expect((await rowOf('schema'))!.payload).toMatchObject({ color: 'red', attachments: [{ name: 'a.txt', size: 1 }] });
    expect(await trigger({ ...event([{ name: 'a' }]), name: 'strict' })).toMatchObject({
      status: 400,
      body: { type: 'PAYLOAD_VALIDATION_ERROR' },
    });
  });

  it('are part of the event that a transactionId stands for', async () => {
    const files = (text: string) => [{ name: 'a.txt', file: base64(text) }];
    const countFiles = () => gateway.database.query('SELECT count(*) FROM attachment');
    const first = await trigger(event(files('same'), { transactionId: 'again' }));
    const count = await countFiles();
    const second = await trigger(event(files('same'), { transactionId: 'again' }));
    expect(second.body).toEqual(first.body);
    expect(await filesOf(await rowOf('again'))).toHaveLength(1);

    expect((await trigger(event(files('other'), { transactionId: 'again' }))).body).toMatchObject({
      status: 'error',
      error: ['transactionId "again" was used before with a different event'],
    });
    expect((await filesOf(await rowOf('again'))).map(({ content }) => content.toString())).toEqual(['same']);
    expect(await countFiles()).toEqual(count);
  });

  it('leave alone what is no list of files', async () => {
    for (const [index, attachments] of [3, 'none', { a: 1 }, null, []].entries()) {
      const transactionId = `own-${index}`;
      expect((await trigger(event(attachments, { transactionId }))).body).toMatchObject({ status: 'processed' });
      expect((await rowOf(transactionId))!.payload['attachments']).toEqual(attachments);
    }
  });

  it.each([
    ['no object', ['text'], ''],
    ['no name', [{ file: 'YQ==' }], '.name'],
    ['an empty name', [{ name: ' ', file: 'YQ==' }], '.name'],
    ['a long name', [{ name: 'x'.repeat(256), file: 'YQ==' }], '.name'],
    ['no file', [{ name: 'a', href: 'https://example.com/a' }], '.file'],
    ['a file that is no text', [{ name: 'a', file: { type: 'Buffer', data: [1] } }], '.file'],
    ['a file that is no base64', [{ name: 'a', file: 'not base64!' }], '.file'],
    ['a mime that is none', [{ name: 'a', mime: 'pdf\r\nX: y', file: 'YQ==' }], '.mime'],
  ])('refuse %s by its path', async (_, attachments, field) => {
    const answer = await trigger(event([{ name: 'fine', file: 'YQ==' }, ...attachments]));
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual([`payload.attachments.1${field}`]);
  });

  it('are no more than a hundred, and no more than 20 MB in all', async () => {
    const tiny = { name: 'a', file: 'YQ==' };
    expect((await trigger(event(Array(LIMITS.attachments).fill(tiny)))).body).toMatchObject({ status: 'processed' });
    const many = await trigger(event(Array(LIMITS.attachments + 1).fill(tiny)));
    expect(many).toMatchObject({ status: 422, body: { errors: { 'payload.attachments': expect.anything() } } });

    const half = { name: 'half', file: base64(Buffer.alloc(LIMITS.attachmentBytes / 2)) };
    const large = await trigger(event([half, half], { transactionId: 'large' }));
    expect(large).toMatchObject({ status: 201, body: { status: 'processed' } });
    expect((await filesOf(await rowOf('large'))).map(({ content }) => content.length)).toEqual([
      LIMITS.attachmentBytes / 2,
      LIMITS.attachmentBytes / 2,
    ]);
    expect(await trigger(event([half, half, tiny]))).toMatchObject({
      status: 413,
      body: { message: expect.stringContaining('20000000 bytes') },
    });
    const [result] = (await bulk(event([half, half, tiny]))).body;
    expect(result).toMatchObject({ status: 'error', error: [expect.stringContaining('payload.attachments')] });
  });

  it('do not weigh against the size of the event', async () => {
    const file = { name: 'a', file: base64(Buffer.alloc(LIMITS.eventBytes)) };
    expect((await trigger(event([file]))).body).toMatchObject({ status: 'processed' });
    const heavy = { ...event([file]), payload: { text: 'x'.repeat(LIMITS.eventBytes), attachments: [file] } };
    expect((await trigger(heavy)).status).toBe(413);
  });

  it('are found in their own environment only', async () => {
    await trigger(event([{ name: 'a', file: 'YQ==' }], { transactionId: 'mine' }));
    const row = await rowOf('mine');
    expect(await filesOf(row)).toHaveLength(1);
    const repository = new AttachmentRepository(gateway.database);
    expect(await repository.findByTrigger(gateway.organizationId as EnvironmentId, [row!.id])).toEqual([]);
  });
});
