import type { HttpResponse, JsonObject } from '@clarion/contracts';
import { EgressError, type EgressRequest } from '@clarion/platform';
import type { DefinitionWriter } from './definitions';
import { contentFault } from './import-kind';
import { ImportedTranslations } from './imported-definitions';
import { InterruptedError, isLocal, segmentOf, SourceClient, SourceError, type SourceOptions } from './source-client';
import { SourceLists } from './source-lists';

type Answer = { status?: number; headers?: Record<string, string>; body?: unknown; text?: string } | Error;

const answerOf = ({ status = 200, headers = {}, body = {}, text }: Exclude<Answer, Error>): HttpResponse => ({
  status,
  headers,
  body: Buffer.from(text ?? JSON.stringify(body)),
});

describe('SourceClient', () => {
  const calls: EgressRequest[] = [];
  const waits: number[] = [];

  function clientOf(answers: Answer[], options: Partial<SourceOptions> = {}): SourceClient {
    calls.length = 0;
    waits.length = 0;
    return new SourceClient({
      url: 'https://source.example/api/',
      key: 'secret',
      rate: 10_000,
      waitAfter: (attempt) => attempt,
      signal: new AbortController().signal,
      onWait: (_, wait) => waits.push(wait),
      request: async (request) => {
        calls.push(request);
        const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
        if (answer instanceof Error) throw answer;
        return answerOf(answer);
      },
      ...options,
    });
  }

  it('sends the key and removes the wrapper of a single value', async () => {
    const client = clientOf([{ body: { data: [1, 2] } }]);
    expect(await client.get('/v1/integrations', { limit: 5, after: undefined })).toEqual([1, 2]);
    expect(calls[0]).toMatchObject({
      url: 'https://source.example/api/v1/integrations?limit=5',
      headers: { authorization: 'ApiKey secret' },
    });
    const list = { data: [], next: null, previous: null };
    expect(await clientOf([{ body: list }]).get('/v2/topics')).toEqual(list);
  });

  it('names a locale that is no text as one that cannot be imported', async () => {
    const client = clientOf([
      { body: { workflows: [{ workflowId: 'main' }], totalCount: 1 } },
      { body: { locales: [{ toString: 1 }, ['de'], 5] } },
      { body: { content: {} } },
    ]);
    const { items } = await new ImportedTranslations(client, {} as DefinitionWriter).read(null);
    expect(items.map(({ id }) => id)).toEqual(
      ['an object', 'an object', '5'].map((locale) => `workflow.main.${locale}`),
    );
  });

  it('waits as long as the source asks, and by the plan where it does not say', async () => {
    const headers = { 'retry-after': '0.003' };
    const faults = [
      { status: 429, headers },
      { status: 503 },
      { text: '{"data": [' },
      new EgressError('unknown', 'cut'),
    ];
    const client = clientOf([...faults, { body: { ok: true } }]);
    expect(await client.object('/v2/topics')).toEqual({ ok: true });
    expect(waits).toEqual([3, 1, 2, 3]);
    expect(client.calls).toBe(5);
  });

  it('reports one wait for calls that the source refuses together', async () => {
    let arrived = 0;
    let answer = (): void => undefined;
    const refusal = new Promise<void>((next) => (answer = next));
    // On a busy machine the wait could end before the last refusal is read.
    const stopClock = (): void => {
      const now = performance.now();
      const clock = jest.spyOn(performance, 'now').mockReturnValue(now);
      setImmediate(() => clock.mockRestore());
    };
    const client = clientOf([], {
      request: async () => {
        arrived += 1;
        if (arrived > 4) return answerOf({});
        if (arrived === 4) {
          stopClock();
          answer();
        }
        await refusal;
        return answerOf({ status: 429, headers: { 'retry-after': '1' } });
      },
    });
    await client.each([1, 2, 3, 4], (one) => client.get(`/${one}`));
    expect([arrived, waits]).toEqual([8, [1_000]]);
  });

  it('gives up after four failures, and after twenty refusals, and names the call', async () => {
    await expect(clientOf([{ status: 500 }]).get('/v2/topics?x=1')).rejects.toThrow('GET /v2/topics with 500');
    expect(calls).toHaveLength(4);
    await expect(clientOf([{ status: 429 }]).get('/v2/topics')).rejects.toThrow('429');
    expect(calls).toHaveLength(21);
    const later = { status: 429, headers: { 'retry-after': '86400' } };
    await expect(clientOf([later]).get('/v2/topics')).rejects.toThrow('429');
    expect(calls).toHaveLength(1);
  });

  it('does not repeat what would fail again', async () => {
    const refusals: [Answer, string][] = [
      [{ status: 401 }, 'refused the key'],
      [{ status: 403 }, '403'],
      [{ status: 301 }, 'a redirection'],
      [new EgressError('refused', 'private'), 'cannot be called: private'],
      [{ body: [] }, 'not an object'],
    ];
    for (const [answer, message] of refusals) {
      const client = clientOf([answer]);
      await expect(client.object('/v2/topics')).rejects.toThrow(message);
      expect(client.calls).toBe(1);
    }
  });

  it('takes an answer or an id that cannot be used for a fault of that item alone', async () => {
    const faults = [
      await clientOf([{ body: [] }])
        .object('/v2/workflows/a')
        .catch((error: unknown) => error),
      ...['\ud800', 'a\0b', '.', '..'].map((id) => {
        try {
          return segmentOf(id);
        } catch (error) {
          return error;
        }
      }),
    ];
    for (const fault of faults) {
      expect(fault).toBeInstanceOf(SourceError);
      expect(isLocal(fault as SourceError)).toBe(true);
    }
    expect(['../a', 'a b', '...', 'ü'].map(segmentOf)).toEqual(['..%2Fa', 'a%20b', '...', '%C3%BC']);
    const depth = 100_000;
    const deep = JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) as JsonObject;
    expect(contentFault({ data: deep })).toBe('is nested too deep');
  });

  it('keeps to the rate, and to eight calls at the same time', async () => {
    let open = 0;
    let most = 0;
    const begun = performance.now();
    const client = clientOf([], {
      rate: 200,
      request: async () => {
        most = Math.max(most, (open += 1));
        // eslint-disable-next-line clarion/no-restricted-syntax -- how long a call takes
        await new Promise((next) => setTimeout(next, 100));
        open -= 1;
        return answerOf({});
      },
    });
    const items = Array.from({ length: 20 }, (_, index) => index);
    expect(await client.each(items, async (item) => (await client.get(`/${item}`), item))).toEqual(items);
    expect(most).toBeLessThanOrEqual(8);
    expect(performance.now() - begun).toBeGreaterThanOrEqual((1_000 / 200) * 19);
  });

  it('ends a wait and a hanging call when it is interrupted', async () => {
    const ending = new AbortController();
    const hanging = clientOf([], {
      signal: ending.signal,
      request: ({ signal }) =>
        new Promise((_, reject) =>
          signal!.addEventListener('abort', () => reject(new EgressError('unknown', 'aborted'))),
        ),
    });
    const waiting = clientOf([{ status: 500 }], { signal: ending.signal, waitAfter: () => 600_000 });
    const ended = Promise.allSettled([hanging.get('/v2/topics'), waiting.get('/v2/topics')]);
    setImmediate(() => ending.abort());
    for (const result of await ended) expect(result).toMatchObject({ reason: expect.any(InterruptedError) as unknown });
  });

  it('follows cursors, refuses a repeated one, and asks for less when an answer is too large', async () => {
    const page = (ids: number[], next: string | null) => ({
      body: { data: ids.map((id) => ({ id })), next, totalCount: 3 },
    });
    const lists = new SourceLists(clientOf([page([1], 'a'), page([2], 'b'), page([3], null)]));
    expect(await lists.byCursor('/v2/topics', null, 500)).toEqual({
      items: [{ id: 1 }, { id: 2 }, { id: 3 }],
      next: null,
      total: 3,
    });
    expect(calls.map(({ url }) => new URL(url).searchParams.get('after'))).toEqual([null, 'a', 'b']);

    const looping = new SourceLists(clientOf([page([1], 'a'), page([2], 'b'), page([1], 'a')]));
    await expect(looping.byCursor('/v2/topics', null, 500)).rejects.toThrow('repeats the cursor a of /v2/topics');

    const flows = { body: { workflows: [{ _id: 'a' }, { _id: 'b' }] } };
    const ignoring = new SourceLists(clientOf([flows]));
    expect(await ignoring.byOffset('/v2/workflows', 'workflows', null, 2)).toMatchObject({ next: 2 });
    await expect(ignoring.byOffset('/v2/workflows', 'workflows', 2, 2)).rejects.toThrow('repeats the item a');

    const other = (id: string) => ({ body: { data: [{ _id: 'a' }], next: id } });
    const deaf = new SourceLists(clientOf([other('1'), other('2')]));
    await expect(deaf.byCursor('/v2/topics', null, 500)).rejects.toThrow('repeats the item a of /v2/topics');

    let cursor = 0;
    const empty = async () => answerOf({ body: { data: [], next: String((cursor += 1)) } });
    const hollow = new SourceLists(clientOf([], { request: empty }));
    const fault = await hollow.byCursor('/v2/topics', null, 500).catch((error: unknown) => error as SourceError);
    expect([isLocal(fault as SourceError), cursor]).toEqual([true, 100]);

    const large = new SourceLists(clientOf([new EgressError('too-large', 'over'), page([1], null)]));
    expect(await large.byCursor('/v2/topics', null, 500)).toMatchObject({ items: [{ id: 1 }] });
    expect(calls.map(({ url }) => new URL(url).searchParams.get('limit'))).toEqual(['100', '10']);
    await expect(new SourceLists(clientOf([{ body: { data: [1] } }])).byCursor('/v2/topics', null, 1)).rejects.toThrow(
      SourceError,
    );
  });
});
