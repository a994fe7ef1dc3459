// What is used of @aws-sdk/client-s3, loaded when it is first needed: an import of the whole package could not be bundled in parts.
export { GetObjectCommand, HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
