import { Check, Column, Entity, Unique } from 'typeorm';
import { ChangingRow } from '../tenancy/environment-row';

/** A value that templates read as `env.<key>`. */
@Entity('environment_variable')
@Unique('environment_variable_key_key', ['environmentId', 'key'])
@Check('environment_variable_secret_check', `NOT (is_secret AND value IS NOT NULL)`)
export class EnvironmentVariable extends ChangingRow {
  @Column('text') key!: string;
  @Column('boolean') isSecret!: boolean;

  /** Null for a secret, and while there is no value. */
  @Column('text', { nullable: true }) value!: string | null;

  @Column('text', { nullable: true }) sealedValue!: string | null;
}
