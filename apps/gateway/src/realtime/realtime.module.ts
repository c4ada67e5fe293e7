import { Module } from '@nestjs/common';
import { InboxModule } from '../inbox/inbox.module';
import { Sockets } from './sockets';

@Module({ imports: [InboxModule], providers: [Sockets] })
export class RealtimeModule {}
