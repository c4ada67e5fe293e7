import { Module } from '@nestjs/common';
import { MasterTranslations } from './master-translations';
import { TranslationsController } from './translations.controller';
import { TranslationsService } from './translations.service';

@Module({ controllers: [TranslationsController], providers: [TranslationsService, MasterTranslations] })
export class TranslationsModule {}
