import { Module } from '@nestjs/common';
import { IntegrationsModule } from '../integrations/integrations.module';
import { MirrorController } from './mirror.controller';
import { MirrorService } from './mirror.service';

@Module({
  imports: [IntegrationsModule],
  controllers: [MirrorController],
  providers: [MirrorService],
})
export class MirrorModule {}
