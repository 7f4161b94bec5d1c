// Made by scripts/generate-client.ts. Do not edit.
export interface paths {
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Identify the key
         * @description Who the key belongs to, the workspace it reaches and what it may do.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/forms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List forms
         * @description The forms of the key's workspace, most recently updated first. Trashed forms are left out.
         */
        get: operations["listForms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/forms/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a form */
        get: operations["getForm"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Close, reopen or rename a form
         * @description Needs a write key. Takes at least one member; `status` only for a form that is already published. The title changes in the dashboard only: respondents see it once the form is published again in the builder.
         */
        patch: operations["updateForm"];
        trace?: never;
    };
    "/forms/{id}/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List responses
         * @description Newest first. To poll, pass the newest `submitted_at` seen as `since`, page until a page holds fewer items than `per_page`, and drop the ids already seen: `since` is inclusive.
         */
        get: operations["listResponses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/forms/{id}/responses/{response_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a response */
        get: operations["getResponse"];
        put?: never;
        post?: never;
        /**
         * Delete a response
         * @description Needs a write key. Deletes the response, its answers and its uploaded files, and lowers the form's response count. It cannot be undone.
         */
        delete: operations["deleteResponse"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/forms/{id}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a form's webhook endpoints
         * @description The secret is never shown.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Add a webhook endpoint
         * @description Needs a write key. At most 10 endpoints a form. The answer holds the secret that signs its deliveries: it is shown here and never again.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/forms/{id}/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a webhook endpoint
         * @description Needs a write key. Its delivery log goes too. Success is 200 or 204, as the deployment has it.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "response.submitted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A response was submitted
         * @description Answer with any 2xx within 10 seconds; redirects are not followed. A failed attempt is tried again after 1 minute, 5 minutes, 30 minutes, 2 hours and 12 hours. Check the signature before anything else, and drop what was seen before.
         */
        post: operations["onResponseSubmitted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "test.ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A test event was asked for in the app
         * @description Answer with any 2xx within 10 seconds; redirects are not followed. A failed attempt is tried again after 1 minute, 5 minutes, 30 minutes, 2 hours and 12 hours. Check the signature before anything else, and drop what was seen before.
         */
        post: operations["onTestPing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description At least one member. */
        FormUpdate: {
            /**
             * @description Only for a form that is already published.
             * @enum {string}
             */
            status?: "published" | "closed";
            /** @description 1 to 200 characters, counted as Unicode code points. */
            title?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description How a response came in. More keys may appear. */
        ResponseMeta: {
            /** @description Kind of device. */
            device?: string | null;
            /** @description Browser. */
            browser?: string | null;
            /** @description Operating system. */
            os?: string | null;
            /** @description Referring page. */
            ref?: string | null;
            /** @description Campaign parameters, such as `source`. */
            utm?: {
                [key: string]: string;
            } | null;
        } & {
            [key: string]: unknown;
        };
        /** @description One answer: `type` says what `value` looks like. */
        Answer: components["schemas"]["ShortTextAnswer"] | components["schemas"]["LongTextAnswer"] | components["schemas"]["EmailAnswer"] | components["schemas"]["UrlAnswer"] | components["schemas"]["PhoneAnswer"] | components["schemas"]["DateAnswer"] | components["schemas"]["TimeAnswer"] | components["schemas"]["NumberAnswer"] | components["schemas"]["ScaleAnswer"] | components["schemas"]["RatingAnswer"] | components["schemas"]["NpsAnswer"] | components["schemas"]["SliderAnswer"] | components["schemas"]["SingleChoiceAnswer"] | components["schemas"]["MultipleChoiceAnswer"] | components["schemas"]["DropdownAnswer"] | components["schemas"]["YesNoAnswer"] | components["schemas"]["RankingAnswer"] | components["schemas"]["GridSingleAnswer"] | components["schemas"]["GridMultipleAnswer"] | components["schemas"]["FileAnswer"] | components["schemas"]["SignatureAnswer"] | components["schemas"]["AddressAnswer"] | components["schemas"]["UnknownAnswer"];
        /** @description Value of choices and rankings. */
        ChoiceValue: {
            /** @description Ids of the chosen options; for a ranking in ranked order. */
            ids: string[];
            /** @description Text of "other", or null when it was not used. */
            other: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description An uploaded file. Its bytes cannot be had through the API. */
        UploadedFile: {
            /** @description Id of the file. */
            id: string;
            /** @description Name of the file. */
            name: string;
            /** @description Size in bytes. */
            size: number;
        } & {
            [key: string]: unknown;
        };
        /** @description Value of an address; a part that was left out is an empty string. */
        AddressValue: {
            /** @description First line. */
            line1: string;
            /** @description Second line. */
            line2: string;
            /** @description City. */
            city: string;
            /** @description State, province or region. */
            region: string;
            /** @description Postal code. */
            postal: string;
            /** @description Country. */
            country: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A new webhook endpoint. */
        WebhookCreate: {
            /** @description An address that is public, https in production, on port 80, 443, 8080 or 8443, without credentials; at most 500 characters. */
            url: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Body of a delivery. */
        WebhookEvent: {
            /**
             * @description What happened.
             * @example response.submitted
             * @example test.ping
             */
            event: string;
            /** @description The form. */
            form: {
                /** @description Id of the form. */
                id: string;
                /** @description Title of the form in the dashboard. */
                title: string;
            } & {
                [key: string]: unknown;
            };
            /** @description The response. */
            response: {
                /** @description Id of the response; 0 in a test event. */
                id: number;
                /** @description When it was submitted. */
                submitted_at: components["schemas"]["Timestamp"];
                /** @description In form order, shaped as in the API. */
                answers: components["schemas"]["Answer"][];
                /** @description Points reached, or null. */
                score: number | null;
                /** @description Points that could be reached, or null. */
                max_score: number | null;
                /** @description How the response came in. */
                meta: components["schemas"]["ResponseMeta"];
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /**
         * Format: date-time
         * @description ISO 8601 in UTC, with seconds or a finer fraction.
         * @example 2026-11-21T09:30:00.000Z
         */
        Timestamp: string;
        /** @description Who a key belongs to and what it reaches. */
        Me: {
            /** @description The user who made the key. */
            user: {
                /** @description Id of the user. */
                id: number;
                /** @description Name of the user. */
                name: string;
                /** @description Email address of the user. */
                email: string;
            } & {
                [key: string]: unknown;
            };
            /** @description The one workspace that the key reaches. */
            workspace: {
                /** @description Id of the workspace. */
                id: number;
                /** @description Name of the workspace. */
                name: string;
                /**
                 * @description The user's role in it.
                 * @example owner
                 * @example editor
                 * @example viewer
                 */
                role: string;
            } & {
                [key: string]: unknown;
            };
            /** @description The key itself, without its secret part. */
            key: {
                /** @description Id of the key. */
                id: number;
                /** @description Name given at creation. */
                name: string;
                /** @description Short leading part of the key, to tell keys apart. */
                prefix: string;
                /**
                 * @description `read` allows GET only; `write` also PATCH, POST and DELETE.
                 * @example read
                 * @example write
                 */
                scope: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description A form. */
        Form: {
            /** @description 12 characters; the same id appears in dashboard URLs. */
            id: string;
            /** @description Title in the dashboard. The public page keeps the title last published in the builder. */
            title: string;
            /**
             * @description State of the form.
             * @example draft
             * @example published
             * @example closed
             * @example archived
             */
            status: string;
            /** @description Short public identifier. */
            slug: string;
            /** @description Public link of the form. */
            url: string;
            /** @description Whether the form has been published. */
            published: boolean;
            /** @description Submitted responses; lowered when one is deleted. */
            response_count: number;
            /** @description Most submitted responses that the public link takes, or null for no limit. */
            response_limit: number | null;
            /** @description From when the public link takes responses, or null. */
            opens_at: components["schemas"]["Timestamp"] | null;
            /** @description From when the public link refuses responses, or null. */
            closes_at: components["schemas"]["Timestamp"] | null;
            /** @description When the form was made. */
            created_at: components["schemas"]["Timestamp"];
            /** @description When the form was last changed. */
            updated_at: components["schemas"]["Timestamp"];
        } & {
            [key: string]: unknown;
        };
        /** @description A response, or a saved draft of one. */
        Response: {
            /** @description Id of the response; never used again after a deletion. */
            id: number;
            /** @description Id of the owning form. */
            form_id: string;
            /**
             * @description `submitted`, or `in_progress` for a saved draft.
             * @example submitted
             * @example in_progress
             */
            status: string;
            /** @description When the respondent began. */
            started_at: components["schemas"]["Timestamp"];
            /** @description When it was submitted. For a draft null, or when it was last saved. */
            submitted_at: components["schemas"]["Timestamp"] | null;
            /** @description Whole seconds from start to submission; for a draft to the last save. */
            duration_sec: number;
            /** @description The respondent's email address, or null. */
            email: string | null;
            /** @description Points reached, or null when no question has points. */
            score: number | null;
            /** @description Points that could be reached, or null. */
            max_score: number | null;
            /** @description In form order; skipped questions and those hidden by logic are left out. */
            answers: components["schemas"]["Answer"][];
            /** @description How the response came in. */
            meta: components["schemas"]["ResponseMeta"];
        } & {
            [key: string]: unknown;
        };
        /** @description A webhook endpoint. */
        WebhookEndpoint: {
            /** @description Id of the endpoint. */
            id: number;
            /** @description Where deliveries go, at most 500 characters. */
            url: string;
            /** @description False while paused. */
            active: boolean;
            /** @description When it was added; only responses submitted later are sent. */
            created_at: components["schemas"]["Timestamp"];
        } & {
            [key: string]: unknown;
        };
        /** @description A new webhook endpoint with its secret. */
        CreatedWebhookEndpoint: {
            /** @description Id of the endpoint. */
            id: number;
            /** @description Where deliveries go, at most 500 characters. */
            url: string;
            /** @description False while paused. */
            active: boolean;
            /** @description When it was added; only responses submitted later are sent. */
            created_at: components["schemas"]["Timestamp"];
            /** @description Signs every delivery. Shown here once and never again. */
            secret: string;
        } & {
            [key: string]: unknown;
        };
        /** @description What was deleted. */
        Deleted: {
            /** @description Id of what was deleted. */
            id: number;
            /**
             * @description Always true.
             * @constant
             */
            deleted: true;
        } & {
            [key: string]: unknown;
        };
        /** @description Where a page stands in its list. */
        PageMeta: {
            /** @description Number of this page, from 1. */
            page: number;
            /** @description Most items a page holds. */
            per_page: number;
            /** @description How many items match the filters, over all pages. */
            total: number;
        } & {
            [key: string]: unknown;
        };
        /** @description The answer of every refused or failed request. */
        Error: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description Branch on this.
                 * @example bad_request
                 * @example unauthorized
                 * @example forbidden
                 * @example not_found
                 * @example validation_failed
                 * @example rate_limited
                 * @example server_error
                 */
                code: string;
                /** @description For people; not stable. */
                message: string;
                /** @description What else is known. More members may appear. */
                details?: {
                    /** @description The parameter or member of the body at fault, when there is one. */
                    field?: string;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description An answer to a question of type `short_text`. */
        ShortTextAnswer: {
            /** @description Id of the question. */
            question_id: string;
            /** @description Title of the question. */
            title: string;
            /** @description The answer for people; for choices the option labels. */
            text: string;
            /**
             * @description Type of the question.
             * @constant
             */
            type: "short_text";
            /** @description Machine-readable value. */
            value: string;
        } & {
            [key: string]: unknown;
        };
        /** @description An answer to a question of type `long_text`. */
        LongTextAnswer: {
            /** @description Id of the question. */
            question_id: string;
            /** @description Title of the question. */
            title: string;
            /** @description The answer for people; for choices the option labels. */
            text: string;
            /**
             * @description Type of the question.
             * @constant
             */
            type: "long_text";
            /** @description Machine-readable value. */
            value: string;
        } & {
            [key: string]: unknown;
        };
        /** @description An answer to a question of type `email`. */
        EmailAnswer: {
            /** @description Id of the question. */
            question_id: string;
            /** @description Title of the question. */
            title: string;
            /** @description The answer for people; for choices the option labels. */
            text: string;
            /**
             * @description Type of the question.
             * @constant
             */
            type: "email";
            /** @description Machine-readable value. */
            value: string;
        } & {
            [key: string]: unknown;
        };
        /** @description An answer to a question of type `url`. */
        UrlAnswer: {
            /** @description Id of the question. */
            question_id: string;
            /** @description Title of the question. */
            title: string;
            /** @description The answer for people; for choices the option labels. */
            text: string;
            /**
             * @description Type of the question.
             * @constant
             */
            type: "url";
            /** @description Machine-readable value. */
            value: string;
        } & {
            [key: string]: unknown;
        };
        /** @description An answer to a question of type `phone`. */
        PhoneAnswer: {
            /** @description Id of the question. */
            question_id: string;
            /** @description Title of the question. */
            title: string;
            /** @description The answer for people; for choices the option labels. */
            text: string;
            /**
             * @description Type of the question.
             * @constant
             */
            type: "phone";
            /** @description Machine-readable value. */
            value: string;
        } & {
            [key: string]: unknown;
        };
        /** @description An answer to a question of type `date`. */
        DateAnswer: {
            /** @description Id of the question. */
            question_id: string;
            /** @description Title of the question. */
            title: string;
            /** @description The answer for people; for choices the option labels. */
            text: string;
            /**
             * @description Type of the question.
             * @constant
             */
            type: "date";
            /** @description Machine-readable value. */
            value: string;
        } & {
            [key: string]: unknown;
        };
        /** @description An answer to a question of type `time`. */
        TimeAnswer: {
            /** @description Id of the question. */
            question_id: string;
            /** @description Title of the question. */
            title: string;
            /** @description The answer for people; for choices the option labels. */
            text: string;
            /**
             * @description Type of the question.
             * @constant
             */
            type: "time";
            /** @description Machine-readable value. */
            value: string;
        } & {
            [key: string]: unknown;
        };
        /** @description An answer to a question of type `number`. */
        NumberAnswer: {
            /** @description Id of the question. */
            question_id: string;
            /** @description Title of the question. */
            title: string;
            /** @description The answer for people; for choices the option labels. */
            text: string;
            /**
             * @description Type of the question.
             * @constant
             */
            type: "number";
            /** @description Machine-readable value. */
            value: number;
        } & {
            [key: string]: unknown;
        };
        /** @description An answer to a question of type `scale`. */
        ScaleAnswer: {
            /** @description Id of the question. */
            question_id: string;
            /** @description Title of the question. */
            title: string;
            /** @description The answer for people; for choices the option labels. */
            text: string;
            /**
             * @description Type of the question.
             * @constant
             */
            type: "scale";
            /** @description Machine-readable value. */
            value: number;
        } & {
            [key: string]: unknown;
        };
        /** @description An answer to a question of type `rating`. */
        RatingAnswer: {
            /** @description Id of the question. */
            question_id: string;
            /** @description Title of the question. */
            title: string;
            /** @description The answer for people; for choices the option labels. */
            text: string;
            /**
             * @description Type of the question.
             * @constant
             */
            type: "rating";
            /** @description Machine-readable value. */
            value: number;
        } & {
            [key: string]: unknown;
        };
        /** @description An answer to a question of type `nps`. */
        NpsAnswer: {
            /** @description Id of the question. */
            question_id: string;
            /** @description Title of the question. */
            title: string;
            /** @description The answer for people; for choices the option labels. */
            text: string;
            /**
             * @description Type of the question.
             * @constant
             */
            type: "nps";
            /** @description Machine-readable value. */
            value: number;
        } & {
            [key: string]: unknown;
        };
        /** @description An answer to a question of type `slider`. */
        SliderAnswer: {
            /** @description Id of the question. */
            question_id: string;
            /** @description Title of the question. */
            title: string;
            /** @description The answer for people; for choices the option labels. */
            text: string;
            /**
             * @description Type of the question.
             * @constant
             */
            type: "slider";
            /** @description Machine-readable value. */
            value: number;
        } & {
            [key: string]: unknown;
        };
        /** @description An answer to a question of type `single_choice`. */
        SingleChoiceAnswer: {
            /** @description Id of the question. */
            question_id: string;
            /** @description Title of the question. */
            title: string;
            /** @description The answer for people; for choices the option labels. */
            text: string;
            /**
             * @description Type of the question.
             * @constant
             */
            type: "single_choice";
            /** @description Machine-readable value. */
            value: components["schemas"]["ChoiceValue"];
        } & {
            [key: string]: unknown;
        };
        /** @description An answer to a question of type `multiple_choice`. */
        MultipleChoiceAnswer: {
            /** @description Id of the question. */
            question_id: string;
            /** @description Title of the question. */
            title: string;
            /** @description The answer for people; for choices the option labels. */
            text: string;
            /**
             * @description Type of the question.
             * @constant
             */
            type: "multiple_choice";
            /** @description Machine-readable value. */
            value: components["schemas"]["ChoiceValue"];
        } & {
            [key: string]: unknown;
        };
        /** @description An answer to a question of type `dropdown`. */
        DropdownAnswer: {
            /** @description Id of the question. */
            question_id: string;
            /** @description Title of the question. */
            title: string;
            /** @description The answer for people; for choices the option labels. */
            text: string;
            /**
             * @description Type of the question.
             * @constant
             */
            type: "dropdown";
            /** @description Machine-readable value. */
            value: components["schemas"]["ChoiceValue"];
        } & {
            [key: string]: unknown;
        };
        /** @description An answer to a question of type `yes_no`. */
        YesNoAnswer: {
            /** @description Id of the question. */
            question_id: string;
            /** @description Title of the question. */
            title: string;
            /** @description The answer for people; for choices the option labels. */
            text: string;
            /**
             * @description Type of the question.
             * @constant
             */
            type: "yes_no";
            /** @description Machine-readable value. */
            value: components["schemas"]["ChoiceValue"];
        } & {
            [key: string]: unknown;
        };
        /** @description An answer to a question of type `ranking`. */
        RankingAnswer: {
            /** @description Id of the question. */
            question_id: string;
            /** @description Title of the question. */
            title: string;
            /** @description The answer for people; for choices the option labels. */
            text: string;
            /**
             * @description Type of the question.
             * @constant
             */
            type: "ranking";
            /** @description Machine-readable value. */
            value: components["schemas"]["ChoiceValue"];
        } & {
            [key: string]: unknown;
        };
        /** @description An answer to a question of type `grid_single`. */
        GridSingleAnswer: {
            /** @description Id of the question. */
            question_id: string;
            /** @description Title of the question. */
            title: string;
            /** @description The answer for people; for choices the option labels. */
            text: string;
            /**
             * @description Type of the question.
             * @constant
             */
            type: "grid_single";
            /** @description Machine-readable value. */
            value: {
                [key: string]: string;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description An answer to a question of type `grid_multiple`. */
        GridMultipleAnswer: {
            /** @description Id of the question. */
            question_id: string;
            /** @description Title of the question. */
            title: string;
            /** @description The answer for people; for choices the option labels. */
            text: string;
            /**
             * @description Type of the question.
             * @constant
             */
            type: "grid_multiple";
            /** @description Machine-readable value. */
            value: {
                [key: string]: string[];
            };
        } & {
            [key: string]: unknown;
        };
        /** @description An answer to a question of type `file`. */
        FileAnswer: {
            /** @description Id of the question. */
            question_id: string;
            /** @description Title of the question. */
            title: string;
            /** @description The answer for people; for choices the option labels. */
            text: string;
            /**
             * @description Type of the question.
             * @constant
             */
            type: "file";
            /** @description Machine-readable value. */
            value: components["schemas"]["UploadedFile"][];
        } & {
            [key: string]: unknown;
        };
        /** @description An answer to a question of type `signature`. */
        SignatureAnswer: {
            /** @description Id of the question. */
            question_id: string;
            /** @description Title of the question. */
            title: string;
            /** @description The answer for people; for choices the option labels. */
            text: string;
            /**
             * @description Type of the question.
             * @constant
             */
            type: "signature";
            /** @description Machine-readable value. */
            value: components["schemas"]["UploadedFile"][];
        } & {
            [key: string]: unknown;
        };
        /** @description An answer to a question of type `address`. */
        AddressAnswer: {
            /** @description Id of the question. */
            question_id: string;
            /** @description Title of the question. */
            title: string;
            /** @description The answer for people; for choices the option labels. */
            text: string;
            /**
             * @description Type of the question.
             * @constant
             */
            type: "address";
            /** @description Machine-readable value. */
            value: components["schemas"]["AddressValue"];
        } & {
            [key: string]: unknown;
        };
        /** @description An answer to a question of a type that a later version added. */
        UnknownAnswer: {
            /** @description Id of the question. */
            question_id: string;
            /** @description Title of the question. */
            title: string;
            /** @description The answer for people. */
            text: string;
            /** @description A type that this document does not know. */
            type: string;
            /** @description Anything. */
            value: unknown;
        } & {
            [key: string]: unknown;
        };
    };
    responses: {
        /** @description The request cannot be read: malformed JSON, another content type, a body that is too large. */
        BadRequest: {
            headers: {
                /** @description Id of the request, where the deployment sends one. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "bad_request",
                 *         "message": "The body is not valid JSON."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key is missing, malformed, wrong or revoked. */
        Unauthorized: {
            headers: {
                /** @description The scheme of the API. */
                "WWW-Authenticate": string;
                /** @description Id of the request, where the deployment sends one. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "unauthorized",
                 *         "message": "A valid API key is required."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A read-only key on a write route, or the user's role or the workspace's plan does not allow it. */
        Forbidden: {
            headers: {
                /** @description Id of the request, where the deployment sends one. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "forbidden",
                 *         "message": "This key is read-only."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Over 120 requests a minute with this key, or 30 failed authentications from this address. */
        RateLimited: {
            headers: {
                /** @description Seconds to wait before the next try. */
                "Retry-After": number;
                /** @description Id of the request, where the deployment sends one. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "rate_limited",
                 *         "message": "Too many requests. Try again in 60 seconds."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Something failed inside the service. Details are not exposed. */
        ServerError: {
            headers: {
                /** @description Id of the request, where the deployment sends one. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "server_error",
                 *         "message": "Something went wrong."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A parameter or a member of the body does not hold; `details.field` names it when there is one. */
        ValidationFailed: {
            headers: {
                /** @description Id of the request, where the deployment sends one. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "validation_failed",
                 *         "message": "per_page takes a whole number from 1 to 100.",
                 *         "details": {
                 *           "field": "per_page"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No such endpoint, or nothing by this id in the key's workspace. */
        NotFound: {
            headers: {
                /** @description Id of the request, where the deployment sends one. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "not_found",
                 *         "message": "Not found."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user, the workspace and the key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "user": {
                     *           "id": 7,
                     *           "name": "Maya Lindqvist",
                     *           "email": "maya@example.com"
                     *         },
                     *         "workspace": {
                     *           "id": 3,
                     *           "name": "Harbour Pine Inn",
                     *           "role": "owner"
                     *         },
                     *         "key": {
                     *           "id": 12,
                     *           "name": "Reporting",
                     *           "prefix": "svc_4fQz9a",
                     *           "scope": "write"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Me"];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
        };
    };
    listForms: {
        parameters: {
            query?: {
                /** @description Keeps the forms in this state. */
                status?: "draft" | "published" | "closed" | "archived";
                /** @description Number of the page, from 1. Default 1. */
                page?: number;
                /** @description Most items a page holds, 1 to 100. Default 25. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of forms. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "guestvoice01",
                     *           "title": "Guest feedback 2026",
                     *           "status": "published",
                     *           "slug": "guest-feedback",
                     *           "url": "https://forms.example.com/f/guest-feedback",
                     *           "published": true,
                     *           "response_count": 260,
                     *           "response_limit": null,
                     *           "opens_at": null,
                     *           "closes_at": "2026-12-31T23:00:00.000Z",
                     *           "created_at": "2026-08-28T08:15:00.000Z",
                     *           "updated_at": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "per_page": 25,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Form"][];
                        meta: components["schemas"]["PageMeta"];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
        };
    };
    getForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form, 12 characters. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The form. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "guestvoice01",
                     *         "title": "Guest feedback 2026",
                     *         "status": "published",
                     *         "slug": "guest-feedback",
                     *         "url": "https://forms.example.com/f/guest-feedback",
                     *         "published": true,
                     *         "response_count": 260,
                     *         "response_limit": null,
                     *         "opens_at": null,
                     *         "closes_at": "2026-12-31T23:00:00.000Z",
                     *         "created_at": "2026-08-28T08:15:00.000Z",
                     *         "updated_at": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Form"];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
        };
    };
    updateForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form, 12 characters. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "closed"
                 *     }
                 */
                "application/json": components["schemas"]["FormUpdate"];
            };
        };
        responses: {
            /** @description The form as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "guestvoice01",
                     *         "title": "Guest feedback 2026",
                     *         "status": "closed",
                     *         "slug": "guest-feedback",
                     *         "url": "https://forms.example.com/f/guest-feedback",
                     *         "published": true,
                     *         "response_count": 260,
                     *         "response_limit": null,
                     *         "opens_at": null,
                     *         "closes_at": "2026-12-31T23:00:00.000Z",
                     *         "created_at": "2026-08-28T08:15:00.000Z",
                     *         "updated_at": "2026-11-21T09:31:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Form"];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
        };
    };
    listResponses: {
        parameters: {
            query?: {
                /** @description `submitted` (default), or `in_progress` for saved drafts. */
                status?: "submitted" | "in_progress";
                /** @description ISO 8601 date or date-time. Keeps responses submitted (drafts: last saved) at or after it; without a time zone it is read as UTC. */
                since?: string;
                /** @description Number of the page, from 1. Default 1. */
                page?: number;
                /** @description Most items a page holds, 1 to 100. Default 25. */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the form, 12 characters. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of responses. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": 4711,
                     *           "form_id": "guestvoice01",
                     *           "status": "submitted",
                     *           "started_at": "2026-11-21T09:26:04.000Z",
                     *           "submitted_at": "2026-11-21T09:30:00.000Z",
                     *           "duration_sec": 236,
                     *           "email": "guest@example.com",
                     *           "score": null,
                     *           "max_score": null,
                     *           "answers": [
                     *             {
                     *               "question_id": "nps",
                     *               "title": "How likely are you to recommend us?",
                     *               "type": "nps",
                     *               "value": 9,
                     *               "text": "9"
                     *             },
                     *             {
                     *               "question_id": "enjoyed",
                     *               "title": "What did you enjoy?",
                     *               "type": "multiple_choice",
                     *               "value": {
                     *                 "ids": [
                     *                   "sauna",
                     *                   "dinner"
                     *                 ],
                     *                 "other": "The harbour"
                     *               },
                     *               "text": "Sauna, Dinner, The harbour"
                     *             },
                     *             {
                     *               "question_id": "parts",
                     *               "title": "How was …?",
                     *               "type": "grid_single",
                     *               "value": {
                     *                 "service": "good",
                     *                 "food": "fair"
                     *               },
                     *               "text": "Service: Good; Food: Fair"
                     *             }
                     *           ],
                     *           "meta": {
                     *             "device": "mobile",
                     *             "browser": "Firefox",
                     *             "os": "Android",
                     *             "ref": "https://newsletter.example.com/",
                     *             "utm": {
                     *               "source": "newsletter"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "per_page": 25,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Response"][];
                        meta: components["schemas"]["PageMeta"];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
        };
    };
    getResponse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form, 12 characters. */
                id: string;
                /** @description Id of the response. */
                response_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": 4711,
                     *         "form_id": "guestvoice01",
                     *         "status": "submitted",
                     *         "started_at": "2026-11-21T09:26:04.000Z",
                     *         "submitted_at": "2026-11-21T09:30:00.000Z",
                     *         "duration_sec": 236,
                     *         "email": "guest@example.com",
                     *         "score": null,
                     *         "max_score": null,
                     *         "answers": [
                     *           {
                     *             "question_id": "nps",
                     *             "title": "How likely are you to recommend us?",
                     *             "type": "nps",
                     *             "value": 9,
                     *             "text": "9"
                     *           },
                     *           {
                     *             "question_id": "enjoyed",
                     *             "title": "What did you enjoy?",
                     *             "type": "multiple_choice",
                     *             "value": {
                     *               "ids": [
                     *                 "sauna",
                     *                 "dinner"
                     *               ],
                     *               "other": "The harbour"
                     *             },
                     *             "text": "Sauna, Dinner, The harbour"
                     *           },
                     *           {
                     *             "question_id": "parts",
                     *             "title": "How was …?",
                     *             "type": "grid_single",
                     *             "value": {
                     *               "service": "good",
                     *               "food": "fair"
                     *             },
                     *             "text": "Service: Good; Food: Fair"
                     *           }
                     *         ],
                     *         "meta": {
                     *           "device": "mobile",
                     *           "browser": "Firefox",
                     *           "os": "Android",
                     *           "ref": "https://newsletter.example.com/",
                     *           "utm": {
                     *             "source": "newsletter"
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Response"];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
        };
    };
    deleteResponse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form, 12 characters. */
                id: string;
                /** @description Id of the response. */
                response_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response is gone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": 4711,
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Number of the page, from 1. Default 1. */
                page?: number;
                /** @description Most items a page holds, 1 to 100. Default 25. */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the form, 12 characters. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoints. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": 31,
                     *           "url": "https://hooks.example.com/formwire",
                     *           "active": true,
                     *           "created_at": "2026-11-20T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "per_page": 25,
                     *         "total": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookEndpoint"][];
                        meta: components["schemas"]["PageMeta"];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form, 12 characters. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://hooks.example.com/formwire"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookCreate"];
            };
        };
        responses: {
            /** @description The endpoint, with its secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": 31,
                     *         "url": "https://hooks.example.com/formwire",
                     *         "active": true,
                     *         "created_at": "2026-11-20T10:00:00.000Z",
                     *         "secret": "whsec_example-keep-me-secret"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CreatedWebhookEndpoint"];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the form, 12 characters. */
                id: string;
                /** @description Id of the endpoint. */
                webhook_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint is gone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": 31,
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The endpoint is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
        };
    };
    onResponseSubmitted: {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of event. Not signed: trust the body. */
                "X-Service-Event": "response.submitted";
                /** @description Id of the delivery, the same at every attempt; a replay has a new one. */
                "X-Service-Delivery": string;
                /** @description Unix seconds at which this attempt was signed. */
                "X-Service-Timestamp": string;
                /** @description `sha256=` and the hex HMAC-SHA256 of timestamp + "." + raw body, keyed with the endpoint secret. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "response.submitted",
                 *       "form": {
                 *         "id": "guestvoice01",
                 *         "title": "Guest feedback 2026"
                 *       },
                 *       "response": {
                 *         "id": 4711,
                 *         "submitted_at": "2026-11-21T09:30:00.000Z",
                 *         "answers": [
                 *           {
                 *             "question_id": "nps",
                 *             "title": "How likely are you to recommend us?",
                 *             "type": "nps",
                 *             "value": 9,
                 *             "text": "9"
                 *           },
                 *           {
                 *             "question_id": "enjoyed",
                 *             "title": "What did you enjoy?",
                 *             "type": "multiple_choice",
                 *             "value": {
                 *               "ids": [
                 *                 "sauna",
                 *                 "dinner"
                 *               ],
                 *               "other": "The harbour"
                 *             },
                 *             "text": "Sauna, Dinner, The harbour"
                 *           },
                 *           {
                 *             "question_id": "parts",
                 *             "title": "How was …?",
                 *             "type": "grid_single",
                 *             "value": {
                 *               "service": "good",
                 *               "food": "fair"
                 *             },
                 *             "text": "Service: Good; Food: Fair"
                 *           }
                 *         ],
                 *         "score": null,
                 *         "max_score": null,
                 *         "meta": {
                 *           "device": "mobile",
                 *           "browser": "Firefox",
                 *           "os": "Android",
                 *           "ref": "https://newsletter.example.com/",
                 *           "utm": {
                 *             "source": "newsletter"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description The delivery is done. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed and is tried again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTestPing: {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of event. Not signed: trust the body. */
                "X-Service-Event": "test.ping";
                /** @description Id of the delivery, the same at every attempt; a replay has a new one. */
                "X-Service-Delivery": string;
                /** @description Unix seconds at which this attempt was signed. */
                "X-Service-Timestamp": string;
                /** @description `sha256=` and the hex HMAC-SHA256 of timestamp + "." + raw body, keyed with the endpoint secret. */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "event": "test.ping",
                 *       "form": {
                 *         "id": "guestvoice01",
                 *         "title": "Guest feedback 2026"
                 *       },
                 *       "response": {
                 *         "id": 0,
                 *         "submitted_at": "2026-11-21T09:30:00.000Z",
                 *         "answers": [
                 *           {
                 *             "question_id": "example",
                 *             "title": "Example",
                 *             "type": "short_text",
                 *             "value": "Hello",
                 *             "text": "Hello"
                 *           }
                 *         ],
                 *         "score": null,
                 *         "max_score": null,
                 *         "meta": {}
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description The delivery is done. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed and is tried again. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
