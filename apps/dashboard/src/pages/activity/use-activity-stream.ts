import { useEffect } from 'react';
import { fetchRaw } from '../../api/client';
import { isStatus } from '../../api/error';
import { useLatest } from '../../ui/use-latest';
import type { ActivityRow } from './activity-data';

type Handlers = {
  onNew(count: number): void;
  onChanged(rows: ActivityRow[]): void;
  onOnline(isOnline: boolean): void;
  /** The newest notification that the page knows, from which a new connection goes on. */
  newestId(): string | undefined;
};

const RECONNECT_MS = 2_000;

/** Follows the activity while the page is open, and connects again when the connection ends. */
export function useActivityStream(handlers: Handlers): void {
  const latest = useLatest(handlers);
  useEffect(() => {
    const abort = new AbortController();
    void follow(abort.signal, () => latest.current);
    return () => abort.abort();
  }, [latest]);
}

async function follow(signal: AbortSignal, handlers: () => Handlers): Promise<void> {
  let lastId: string | undefined;
  while (!signal.aborted) {
    try {
      const since = lastId ?? handlers().newestId();
      const response = await fetchRaw('/v1/activity/stream', {
        signal,
        headers: { accept: 'text/event-stream', ...(since && { 'last-event-id': since }) },
      });
      handlers().onOnline(true);
      for await (const { id, event, data } of readEvents(response.body!)) {
        lastId = id ?? lastId;
        if (event === 'notifications') handlers().onNew((data as { count: number }).count);
        if (event === 'changed') handlers().onChanged((data as { rows: ActivityRow[] }).rows);
      }
    } catch (error) {
      // The session has ended: the page asks to sign in, and its next read is refused too.
      if (signal.aborted || isStatus(error, 401, 403)) return;
    }
    if (!signal.aborted) handlers().onOnline(false);
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
  }
}

type StreamEvent = { id?: string; event?: string; data: unknown };

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (text + value).split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) {
      const event = readEvent(block);
      if (event) yield event;
    }
  }
}

/** Comments and blocks without data are no events. */
function readEvent(block: string): StreamEvent | undefined {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const data = fields.get('data');
  return data === undefined
    ? undefined
    : { id: fields.get('id'), event: fields.get('event'), data: JSON.parse(data) as unknown };
}
