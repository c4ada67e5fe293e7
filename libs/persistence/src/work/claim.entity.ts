import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A batch of open rows that one process works on. It ends when the process has settled all of them, or when the lease
 * ends without a renewal: then the process counts as crashed. A row belongs to the claim while it still has the fence
 * that the claim read, or names the claim.
 */
@Entity('claim')
export class Claim {
  @PrimaryColumn('uuid') id!: string;
  @Column('timestamp with time zone', { precision: 3 }) leaseUntil!: Date;

  /** The smallest and the largest id: claims of other ids are not read. */
  @Column('uuid') firstId!: string;
  @Column('uuid') lastId!: string;
  @Column('uuid', { array: true }) workIds!: string[];

  /** In the order of `workIds`. */
  @Column('integer', { array: true }) fences!: number[];
}
