import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ApiKey } from './api-key.entity';

/** A link that opens one session of a key, once. `npm start` prints it. */
@Entity('sign_in_token')
@Index('sign_in_token_key_idx', ['keyId'])
export class SignInToken {
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'sign_in_token_pkey' }) hash!: Buffer;
  @ForeignKey(() => ApiKey, { name: 'sign_in_token_key_id_fkey', onDelete: 'CASCADE' }) @Column('uuid') keyId!: string;
  @Column('timestamp with time zone', { precision: 3 }) expiresAt!: Date;
  @Column('timestamp with time zone', { precision: 3, nullable: true }) usedAt!: Date | null;
}
