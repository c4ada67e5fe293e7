import type { SocketDrop } from './measurements';
import type { MetricSet } from './metric-set';

export class SocketMetrics {
  private readonly open = this.own.gauge('clarion_sockets', 'Inboxes that are connected to this gateway.');
  private readonly events = this.own.counter(
    'clarion_socket_events_total',
    'Events that were sent to connected inboxes.',
    ['event'],
  );
  private readonly drops = this.own.counter(
    'clarion_socket_drops_total',
    'Events that follow later: the client did not read (slow), or too many waited (overload).',
    ['reason'],
  );
  private readonly refusals = this.own.counter(
    'clarion_socket_refusals_total',
    'Connections of inboxes that were refused or closed, by reason.',
    ['reason'],
  );

  constructor(private readonly own: MetricSet) {}

  count(sockets: number): void {
    this.open.set(sockets);
  }

  send(event: string): void {
    this.events.inc({ event });
  }

  drop(reason: SocketDrop): void {
    this.drops.inc({ reason });
  }

  refuse(reason: string): void {
    this.refusals.inc({ reason });
  }
}
