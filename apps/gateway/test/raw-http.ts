import { connect, type Socket } from 'node:net';

export type RawAnswer = { status: number; headers: Record<string, string>; body: string };

/** Sends exactly these bytes, which may be an incomplete request, and reads one response. */
export function exchange(url: string, ...pieces: (string | Buffer)[]): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = open(url);
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      text += chunk;
      const answer = readAnswer(text);
      if (!answer) return;
      socket.destroy();
      resolve(answer);
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`closed without a complete response: ${JSON.stringify(text)}`)));
    for (const piece of pieces) socket.write(piece);
  });
}

export function open(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname);
}

/** Returns undefined until the response is complete. A response to HEAD has no body despite its Content-Length. */
export function readAnswer(text: string, isHead = false): RawAnswer | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first, ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = text.slice(end + 4);
  if (!isHead && body.length < Number(headers['content-length'] ?? 0)) return undefined;
  return { status: Number(first!.split(' ')[1]), headers, body };
}
