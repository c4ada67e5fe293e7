import { type EnvironmentId, LIMITS, type TriggerResultDto } from '@clarion/contracts';
import { AttachmentRepository } from '@clarion/persistence';
import { startGateway, type TestGateway } from './harness';

type Row = { id: string; payload: Record<string, unknown> };

const base64 = (content: string | Buffer): string => Buffer.from(content).toString('base64');

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

  it('stores each attachment in a separate row and keeps its id, name, type and size in the payload', async () => {
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

  it('stores the attachments of all events of a bulk call in the same statement as the events', async () => {
    const file = (text: string) => [{ name: `${text}.txt`, file: base64(text) }];
    // The first call caches the workflow.
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

  it('stores the attachments of a broadcast', async () => {
    const files = [{ name: 'all.txt', file: base64('all') }];
    const answer = await gateway.call('POST', '/v1/events/trigger/broadcast', {
      name: 'mail',
      payload: { attachments: files },
      transactionId: 'to-all',
    });
    expect(answer.body).toMatchObject({ status: 'processed' });
    expect(await filesOf(await rowOf('to-all'))).toHaveLength(1);
  });

  it('validates the payload schema before it removes the attachments from the payload', async () => {
    const good = { name: 'a.txt', file: base64('a') };
    expect((await trigger({ ...event([good], { transactionId: 'schema' }), name: 'strict' })).status).toBe(201);
    expect((await rowOf('schema'))!.payload).toMatchObject({ color: 'red', attachments: [{ name: 'a.txt', size: 1 }] });
    expect(await trigger({ ...event([{ name: 'a' }]), name: 'strict' })).toMatchObject({
      status: 400,
      body: { type: 'PAYLOAD_VALIDATION_ERROR' },
    });
  });

  it('rejects a repeated transactionId whose attachments differ and stores no files for a repetition', async () => {
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

  it('keeps `attachments` in the payload when it is not a list of files', async () => {
    for (const [index, attachments] of [3, 'none', { a: 1 }, null, []].entries()) {
      const transactionId = `own-${index}`;
      expect((await trigger(event(attachments, { transactionId }))).body).toMatchObject({ status: 'processed' });
      expect((await rowOf(transactionId))!.payload['attachments']).toEqual(attachments);
    }
  });

  it.each([
    ['that is not an object', ['text'], ''],
    ['without a name', [{ file: 'YQ==' }], '.name'],
    ['with an empty name', [{ name: ' ', file: 'YQ==' }], '.name'],
    ['with a name that is too long', [{ name: 'x'.repeat(256), file: 'YQ==' }], '.name'],
    ['without a file', [{ name: 'a', href: 'https://example.com/a' }], '.file'],
    ['whose file is not a string', [{ name: 'a', file: { type: 'Buffer', data: [1] } }], '.file'],
    ['whose file is not base64', [{ name: 'a', file: 'not base64!' }], '.file'],
    ['with an invalid MIME type', [{ name: 'a', mime: 'pdf\r\nX: y', file: 'YQ==' }], '.mime'],
  ])('rejects an attachment %s and names its path', async (_, attachments, field) => {
    const answer = await trigger(event([{ name: 'fine', file: 'YQ==' }, ...attachments]));
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual([`payload.attachments.1${field}`]);
  });

  it('accepts at most 100 attachments and at most 20 MB of files per event', async () => {
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

  it('does not count attachments towards the size limit of the event', async () => {
    const file = { name: 'a', file: base64(Buffer.alloc(LIMITS.eventBytes)) };
    expect((await trigger(event([file]))).body).toMatchObject({ status: 'processed' });
    const heavy = { ...event([file]), payload: { text: 'x'.repeat(LIMITS.eventBytes), attachments: [file] } };
    expect((await trigger(heavy)).status).toBe(413);
  });

  it('finds attachments only in the environment of their event', async () => {
    await trigger(event([{ name: 'a', file: 'YQ==' }], { transactionId: 'mine' }));
    const row = await rowOf('mine');
    expect(await filesOf(row)).toHaveLength(1);
    const repository = new AttachmentRepository(gateway.database);
    expect(await repository.findByTrigger(gateway.organizationId as EnvironmentId, [row!.id])).toEqual([]);
  });
});
