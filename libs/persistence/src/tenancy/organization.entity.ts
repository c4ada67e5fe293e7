import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('organization')
export class Organization {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') name!: string;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) createdAt!: Date;
  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' }) updatedAt!: Date;
}
