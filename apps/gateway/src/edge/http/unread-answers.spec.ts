import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type EnvironmentId, tenantShare } from '@clarion/contracts';
import { UnreadAnswers } from './unread-answers';

describe('UnreadAnswers', () => {
  const share = tenantShare({ environment: 10, organization: 15, gateway: 20 });
  const organizations: Record<string, string> = { a1: 'a', a2: 'a', b1: 'b', c1: 'c' };
  let answers: UnreadAnswers;
  let cut: string[];

  beforeEach(() => {
    answers = new UnreadAnswers((environmentId) => organizations[environmentId]!, share);
    cut = [];
  });

  const send = (environmentId: string, bytes: number, name: string): EventEmitter => {
    const raw = Object.assign(new EventEmitter(), { req: { socket: { destroy: () => cut.push(name) } } });
    answers.add(environmentId as EnvironmentId, bytes, raw as unknown as ServerResponse);
    return raw;
  };

  it('cuts off the oldest answers of the environment, of the organization or of the gateway that is full', () => {
    send('b1', 5, 'first');
    send('a1', 5, 'second');
    send('a1', 5, 'third');
    expect(cut).toEqual([]);
    send('a1', 2, 'fourth');
    expect(cut).toEqual(['second']);
    send('a2', 10, 'fifth');
    expect(cut).toEqual(['second', 'third']);
    send('c1', 4, 'sixth');
    expect(cut).toEqual(['second', 'third', 'first']);
  });

  it('counts an answer until it is read, and sends one that is larger than the share', () => {
    send('a1', 10, 'read').emit('close');
    send('a1', 10, 'unread');
    expect(cut).toEqual([]);
    send('a1', 100, 'large');
    expect(cut).toEqual(['unread']);
  });
});
