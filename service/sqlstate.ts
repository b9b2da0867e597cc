/** PostgreSQL error codes that the service distinguishes, by their names in the manual. */
export const sqlstate = {
  protocolViolation: '08P01',
  readOnlySqlTransaction: '25006',
  idleInTransactionSessionTimeout: '25P03',
  invalidAuthorizationSpecification: '28000',
  invalidPassword: '28P01',
  invalidCatalogName: '3D000',
  serializationFailure: '40001',
  deadlockDetected: '40P01',
  insufficientPrivilege: '42501',
  duplicateTable: '42P07',
  diskFull: '53100',
  tooManyConnections: '53300',
  lockNotAvailable: '55P03',
  queryCanceled: '57014',
  crashShutdown: '57P02',
  cannotConnectNow: '57P03',
} as const;

/** The first characters of all codes of a class. */
export const sqlstateClass = {
  connectionException: '08',
  insufficientResources: '53',
} as const;

/** The first characters of the codes that a server sends while it starts or shuts down. */
export const serverNotRunning = '57P0';
