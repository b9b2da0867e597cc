/** The codes of PostgreSQL's errors that the service tells apart, by their names in its manual. */
export const sqlstate = {
  readOnlySqlTransaction: '25006',
  idleInTransactionSessionTimeout: '25P03',
  invalidAuthorizationSpecification: '28000',
  invalidPassword: '28P01',
  invalidCatalogName: '3D000',
  serializationFailure: '40001',
  deadlockDetected: '40P01',
  insufficientPrivilege: '42501',
  diskFull: '53100',
  tooManyConnections: '53300',
  queryCanceled: '57014',
  crashShutdown: '57P02',
  cannotConnectNow: '57P03',
} as const;

/** What all codes of a class begin with. */
export const sqlstateClass = {
  connectionException: '08',
  insufficientResources: '53',
} as const;

/** What the codes begin with that a server sends while it starts or shuts down. */
export const serverNotRunning = '57P0';
