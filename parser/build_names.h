/* build_names.h - builders of names, types, options; faults; each is described in its source. Only included by build.h, which has their contract. */
#ifndef PARSER_BUILD_NAMES_H
#define PARSER_BUILD_NAMES_H

#include "parser/build.h"

/* build_names.c */
void build_once(Parser *p, const Token *token, bool already);
AstName build_name(Parser *p, const Token *first, const Token *second, const Token *third);
AstName build_name_steps(Parser *p, const Token *first, const IndirectionVec *steps);
AstIndexName build_index_name(Parser *p, const AstName *name, const Token *index);
void build_dotted(Parser *p, Token *name, const Token *part);
AstExpr *build_column_ref(Parser *p, const Token *first, const StrVec *rest);
int64_t build_int64(Parser *p, const Token *token, bool negative);
int build_int(Parser *p, const Token *token);
AstType *build_type(Parser *p, const Token *name, const StrVec *rest, const AstExprVec *typmods);
AstType *build_type_of_name(Parser *p, const AstName *name, const CallArgVec *args);
AstType *build_array_type(Parser *p, AstType *type, int dims, bool setof);
AstType *build_float_type(Parser *p, const Token *name, const Token *precision);
AstType *build_bit_type(Parser *p, const Token *name, bool varying, const AstExprVec *typmods);
void build_character(Token *name, bool varying);
AstType *build_character_type(Parser *p, const Token *name, const Token *length);
AstType *build_time_type(Parser *p, const Token *name, const Token *precision, bool time_zone);
AstType *build_interval_type(Parser *p, AstType *type, const IntervalFields *fields, const Token *precision);
AstOption build_option(Parser *p, const Token *name, AstExpr *value);
AstOption build_option_qualified(Parser *p, const Token *schema, const Token *name, AstExpr *value);
AstOption build_option_word(Parser *p, const Token *at, const char *word, AstExpr *value);
AstExpr *build_string(Parser *p, const Token *at, const char *text);
AstOption build_option_bool(Parser *p, const Token *at, const char *word, bool value);
AstOption build_option_names(Parser *p, const Token *at, const char *word, const StrVec *names);
AstOption build_option_type(Parser *p, const Token *at, AstType *type);

#endif
