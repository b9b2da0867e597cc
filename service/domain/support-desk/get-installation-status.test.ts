import { describeInstallationStatus } from '../../testing/conformance/installation-status.ts';

describeInstallationStatus('pglite');
