import { Counter, Gauge, type Registry } from 'prom-client';
import type { SocketDrop } from './measurements';

export class SocketMetrics {
  private readonly open = new Gauge({
    name: 'clarion_sockets',
    help: 'Inboxes that are connected to this gateway.',
    registers: [this.registry],
  });
  private readonly events = new Counter({
    name: 'clarion_socket_events_total',
    help: 'Events that were sent to connected inboxes.',
    labelNames: ['event'],
    registers: [this.registry],
  });
  private readonly drops = new Counter({
    name: 'clarion_socket_drops_total',
    help: 'Events that follow later: the client did not read (slow), or too many waited (overload).',
    labelNames: ['reason'],
    registers: [this.registry],
  });
  private readonly refusals = new Counter({
    name: 'clarion_socket_refusals_total',
    help: 'Connections of inboxes that were refused or closed, by reason.',
    labelNames: ['reason'],
    registers: [this.registry],
  });

  constructor(private readonly registry: Registry) {}

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
