/** Each test file starts with empty databases. Those of the file before are free: all its services have ended. */
import { beforeAll } from 'vitest';
import { emptyRetired } from './shared-database.ts';

beforeAll(emptyRetired);
